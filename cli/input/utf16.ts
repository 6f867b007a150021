/** Converts UTF-16 with a byte-order mark, common on Windows, to UTF-8 while it arrives. */

import { joined } from "../bytes.ts";

/** Receives the next piece, and answers like `onPiece` of `ReadOptions`. */
type OnPiece = (piece: Uint8Array<ArrayBuffer>) => Promise<boolean | number>;

export type Encoding = "UTF-16LE" | "UTF-16BE";

/**
 * Returns the encoding of a byte-order mark. That of UTF-32LE begins like that of UTF-16LE, and goes
 * on with two zeros; bytes that are missing are none.
 */
function encodingOf([first, second, third = 1, fourth = 1]: Uint8Array): Encoding | undefined {
  if (first === 0xfe && second === 0xff) return "UTF-16BE";
  return first === 0xff && second === 0xfe && (third | fourth) !== 0 ? "UTF-16LE" : undefined;
}

/** Receiver of pieces that passes them on as UTF-8. */
export interface Transcoder {
  onPiece: OnPiece;
  /** Ends the input. Rejects if it ends within a character. */
  end(): Promise<void>;
}

/**
 * Makes a transcoder.
 *
 * @param onEncoding Called before the first piece of an input in UTF-16.
 */
export function newTranscoder(
  onPiece: OnPiece,
  onEncoding: (encoding: Encoding) => void,
): Transcoder {
  let decoder: TextDecoder | undefined;
  /** First bytes, while they may be part of a byte-order mark. */
  let start: Uint8Array<ArrayBuffer> | undefined = new Uint8Array(0);
  const encoder = new TextEncoder();
  const begin = (bytes: Uint8Array): void => {
    start = undefined;
    const encoding = encodingOf(bytes);
    if (encoding === undefined) return;
    decoder = new TextDecoder(encoding, { fatal: true });
    onEncoding(encoding);
  };
  const decode = (piece?: Uint8Array): Uint8Array<ArrayBuffer> => {
    try {
      return encoder.encode(decoder!.decode(piece, { stream: piece !== undefined }));
    } catch {
      throw new Error("malformed UTF-16");
    }
  };
  const pass = (piece: Uint8Array<ArrayBuffer>) => onPiece(decoder === undefined ? piece : decode(piece));
  return {
    onPiece(piece) {
      if (piece.length === 0) return Promise.resolve(true); // as of a gzip member without content
      if (start !== undefined) {
        if (start.length > 0) piece = joined(start, piece);
        // Waits for the whole mark, and for the bytes that distinguish UTF-16LE from UTF-32LE.
        if (piece.length < 4 && (piece[0] === 0xff || piece[0] === 0xfe)) {
          start = piece.slice();
          return Promise.resolve(true);
        }
        begin(piece);
      }
      return pass(piece);
    },
    async end() {
      if (start !== undefined && start.length > 0) {
        const bytes = start;
        begin(bytes);
        await pass(bytes);
      }
      const rest = decoder === undefined ? undefined : decode();
      if (rest !== undefined && rest.length > 0) await onPiece(rest);
    },
  };
}

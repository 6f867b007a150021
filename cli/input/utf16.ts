/**
 * Converts UTF-16 with a byte-order mark, which some editors and shells of Windows write, to UTF-8
 * while it arrives.
 */

type OnPiece = (piece: Uint8Array<ArrayBuffer>) => Promise<boolean | number>;

export type Encoding = "UTF-16LE" | "UTF-16BE";

/** Returns the encoding of a byte-order mark. That of UTF-32LE begins like that of UTF-16LE. */
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
  let isFirst = true;
  /** First bytes, while they may be part of a byte-order mark. */
  let held: Uint8Array<ArrayBuffer> | undefined;
  const encoder = new TextEncoder();
  const decode = (piece?: Uint8Array): Uint8Array<ArrayBuffer> => {
    try {
      return encoder.encode(decoder!.decode(piece, { stream: piece !== undefined }));
    } catch {
      throw new Error("malformed UTF-16");
    }
  };
  return {
    onPiece(piece) {
      if (isFirst) {
        if (held !== undefined) {
          const joined = new Uint8Array(held.length + piece.length);
          joined.set(held);
          joined.set(piece, held.length);
          piece = joined;
        }
        // Waits for the whole mark, and for the bytes that distinguish UTF-16LE from UTF-32LE.
        if (piece.length < 4 && (piece[0] === 0xff || piece[0] === 0xfe)) {
          held = piece.slice();
          return Promise.resolve(true);
        }
        held = undefined;
        isFirst = false;
        const encoding = encodingOf(piece);
        if (encoding !== undefined) {
          decoder = new TextDecoder(encoding, { fatal: true });
          onEncoding(encoding);
        }
      }
      return onPiece(decoder === undefined ? piece : decode(piece));
    },
    async end() {
      if (held !== undefined) {
        const encoding = encodingOf(held);
        if (encoding !== undefined) {
          decoder = new TextDecoder(encoding, { fatal: true });
          onEncoding(encoding);
        }
        await onPiece(decoder === undefined ? held : decode(held));
      }
      const rest = decoder === undefined ? undefined : decode();
      if (rest !== undefined && rest.length > 0) await onPiece(rest);
    },
  };
}

/**
 * Stand-in for `node:stream` in a page. Its streams cannot be made; the tests that make one are
 * left out, but others of their file name them when they are registered.
 */

/** Stand-in for a stream of Node.js: an object that is no source of bytes. */
export class Readable {
  /** Returns a stand-in. */
  static from(): Readable {
    return new Readable();
  }
}

/** Stand-in for a stream of Node.js. */
export class PassThrough extends Readable {}

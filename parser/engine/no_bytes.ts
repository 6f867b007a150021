/** Empty memory, in place of bytes that have not arrived. It is never given to callers. */

export const NO_BYTES: Uint8Array<ArrayBuffer> = /* @__PURE__ */ new Uint8Array(0);
export const NO_VIEW: DataView<ArrayBuffer> = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(0));

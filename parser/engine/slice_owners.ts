/** Owners of the memory of slices, so that a slice can be freed without a field for its owner. */

/** Allocators, each a `PoolAllocator`, by the buffers that their slices are parts of. */
export const sliceOwners: WeakMap<Uint8Array, object> = new WeakMap();

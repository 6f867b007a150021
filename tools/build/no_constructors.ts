/**
 * Replaces `parser/objects/generated_constructors.ts` in programs bundled under the condition
 * `bytejson-no-codegen`. It contains nothing that could generate code.
 */

export const MAX_SOURCE: number = 0;

export const generation: { isAllowed: boolean; isForbidden: boolean } = { isAllowed: false, isForbidden: true };

export function allowGeneration(): void {}

export function forbidGeneration(): void {}

export function evaluatesCode(): boolean {
  return false;
}

export function constructorSource(): string {
  return "";
}

export function namesSource(): string {
  return "";
}

export function compileConstructor(): null {
  return null;
}

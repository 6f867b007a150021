/**
 * Takes the place of `parser/objects/generated_constructors.ts` in programs whose bundler has the
 * condition `bytejson-no-codegen`: generates no code, and contains nothing that could.
 */

import type * as generated from "../../parser/objects/generated_constructors.ts";

export const MAX_SOURCE: number = 0;

export function newConstructorGenerator(): generated.ConstructorGenerator {
  return { mayGenerate: false, isForbidden: true } as generated.ConstructorGenerator;
}

export function allowGeneration(): void {}

export function forbidGeneration(): void {}

export function evaluatesCode(): boolean {
  return false;
}

export function constructorSource(): string {
  return "";
}

export function memberSource(): string {
  return "";
}

export function compileConstructor(): null {
  return null;
}

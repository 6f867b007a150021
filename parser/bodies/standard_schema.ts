/** Types of [Standard Schema](https://standardschema.dev), an interface to schema libraries. */

/**
 * Schema of any library that implements [Standard Schema](https://standardschema.dev), such as Zod,
 * Valibot, ArkType and Effect.
 *
 * @typeParam Input Type of the values that it takes.
 * @typeParam Output Type of the values that it returns.
 */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  /** Properties of the standard. */
  readonly "~standard": StandardSchemaProperties<Input, Output>;
}

/** Properties of a {@linkcode StandardSchemaV1}. */
export interface StandardSchemaProperties<Input = unknown, Output = Input> {
  /** Version of the standard. */
  readonly version: 1;
  /** Name of the library. */
  readonly vendor: string;
  /** Checks a value. */
  readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
  /** Types of values, for type checkers. */
  readonly types?: { readonly input: Input; readonly output: Output } | undefined;
}

/** Result of validating a value by a schema: the value, or its issues. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** Issue that a schema has found. */
export interface SchemaIssue {
  /** Message for people. */
  readonly message: string;
  /** Names and indexes that lead to the value. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/**
 * Type of the values that a schema returns: the one that it declares or, if it declares none, that
 * of the values that its `validate` returns.
 */
export type SchemaOutput<Schema extends StandardSchemaV1> = unknown extends
  NonNullable<Schema["~standard"]["types"]>["output"]
  ? Extract<Awaited<ReturnType<Schema["~standard"]["validate"]>>, { readonly value: unknown }>["value"]
  : NonNullable<Schema["~standard"]["types"]>["output"];

/** Type of the values that a schema takes: the one that it declares. */
export type SchemaInput<Schema extends StandardSchemaV1> = NonNullable<Schema["~standard"]["types"]>["input"];

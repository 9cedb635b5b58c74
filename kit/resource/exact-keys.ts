/**
 * Error type for keys of `T` that `S` does not have. An inferred type accepts any property, also a misspelt option;
 * this makes it a compile error where it is written.
 */
export type ExactKeys<T, S> = { [K in Exclude<keyof T, keyof S>]: never }

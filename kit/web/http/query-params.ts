/** Query parameters of a call, by name. */
export type QueryParams = Record<string, unknown>

/** What JSON can hold. A `Date`, say, would come back as text. */
type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [key: string]: Json }

/** An object that is stored or sent as JSON: a job's payload, the data of a live event. */
export type JsonObject = { readonly [key: string]: Json }

declare const made: unique symbol

/**
 * A name under which the processes of an installation keep something together. A plain text is none and does not
 * compile: what a tenant keeps begins with the tenant (`keyOf`), the rest says why it does not
 * (`defineGlobalSharedKey`).
 */
export type SharedKey = string & { readonly [made]: true }

type Part = string | number

/** What stands in a part ends no part: "a/b" and "c" are not "a" and "b/c". */
const partOf = (part: Part): string => String(part).replaceAll('%', '%25').replaceAll('/', '%2F')
const joined = (parts: readonly Part[]) => parts.map(partOf).join('/') as SharedKey

/**
 * Of one tenant: numbers of platforms, devices and accounts may be written down by anybody, and what is kept under one
 * by another tenant is another thing.
 */
export function tenantSharedKey(tenantId: string, ...parts: [Part, ...Part[]]): SharedKey {
  if (!tenantId) throw new Error(`A shared key of no tenant: ${parts[0]}`)
  return joined(['of', tenantId, ...parts])
}

/**
 * What is no tenant's, with the reason why one tenant can put nothing into it that another reads:
 * docs/derived/kept-for-all.txt lists them, and a change to the list shows in review.
 */
export function defineGlobalSharedKey(kind: string, reason: string): (...parts: Part[]) => SharedKey {
  if (!kind || kind === 'of' || !reason) throw new Error(`A kind of shared keys without name or reason: ${kind}`)
  return (...parts) => joined([kind, ...parts])
}

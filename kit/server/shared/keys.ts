declare const made: unique symbol

/**
 * Key of the shared store. Plain texts do not compile: a tenant's key starts with the tenant (`tenantSharedKey`), all
 * others must give a reason why not (`defineGlobalSharedKey`).
 */
export type SharedKey = string & { readonly [made]: true }

type Part = string | number

/** Escapes the separator within a part: "a/b" and "c" differ from "a" and "b/c". */
const partOf = (part: Part): string => String(part).replaceAll('%', '%25').replaceAll('/', '%2F')
const joined = (parts: readonly Part[]) => parts.map(partOf).join('/') as SharedKey

/**
 * Key of one tenant. Ids of platforms, devices and accounts may occur in several tenants, and must not share an entry.
 */
export function tenantSharedKey(tenantId: string, ...parts: [Part, ...Part[]]): SharedKey {
  if (!tenantId) throw new Error(`A shared key of no tenant: ${parts[0]}`)
  return joined(['of', tenantId, ...parts])
}

/**
 * Defines keys that belong to no tenant, with the reason why one tenant cannot store something there that another
 * reads. They are listed in docs/derived/kept-for-all.txt, so that additions show in review.
 */
export function defineGlobalSharedKey(kind: string, reason: string): (...parts: Part[]) => SharedKey {
  if (!kind || kind === 'of' || !reason) throw new Error(`A kind of shared keys without name or reason: ${kind}`)
  return (...parts) => joined([kind, ...parts])
}

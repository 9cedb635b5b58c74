export type VisitMomentKind = 'scanned' | 'opened' | 'entered' | 'picked' | 'returned' | 'paid' | 'left'
type VisitResult = 'bought' | 'refunded' | 'left' | 'unpaid' | 'suspicious'

type PickedProduct = { kind: string; goodId: string | null; quantity: number }
type Bought = { goodId: string | null; quantity: number }

/**
 * Returns the result of an ended visit. `unpaid`: goods taken and nothing bought. `suspicious`: more taken than bought,
 * or somebody entered without scanning or an opened door. `refunded`: everything bought was refunded.
 */
export function determineVisitResult(
  records: readonly PickedProduct[],
  bought: readonly Bought[],
  isAllBack = false,
): VisitResult {
  const open = new Map<string | null, number>()
  const add = (goodId: string | null, by: number) => open.set(goodId, (open.get(goodId) ?? 0) + by)
  for (const { kind, goodId, quantity } of records) {
    if (kind === 'picked') add(goodId, quantity)
    if (kind === 'returned') add(goodId, -quantity)
  }
  for (const { goodId, quantity } of bought) add(goodId, -quantity)
  const isShort = [...open.values()].some((left) => left > 0)
  const pieces = bought.reduce((sum, { quantity }) => sum + quantity, 0)
  if (isShort) return pieces ? 'suspicious' : 'unpaid'
  if (pieces) return isAllBack ? 'refunded' : 'bought'
  const seen = new Set(records.map(({ kind }) => kind))
  return seen.has('entered') && !seen.has('scanned') && !seen.has('opened') ? 'suspicious' : 'left'
}

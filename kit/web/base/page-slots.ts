import { useEffect, useState } from 'react'

/** A typed place in a page that modules of higher layers fill, without the page's module knowing them. */
type PageSlot<T> = { readonly name: string; readonly value?: T }

export const definePageSlot = <T>(name: string): PageSlot<T> => ({ name })

/** Content a module puts into a slot of another module's page, loaded when that page is shown. */
export type SlotFilling = { readonly slot: string; readonly load: () => Promise<{ default: unknown }> }

export const defineSlotFilling = <T>(slot: PageSlot<T>, load: () => Promise<{ default: NoInfer<T> }>): SlotFilling => ({
  slot: slot.name,
  load,
})

const fillings = new Map<string, SlotFilling[]>()
const values = new Map<string, Promise<readonly unknown[]>>()

/** Registers the slot contents of a module; called once per module, before the first page. */
export function registerSlotFillings(given: readonly SlotFilling[]) {
  for (const filling of given) fillings.set(filling.slot, [...(fillings.get(filling.slot) ?? []), filling])
}

function valuesOf(slot: string): Promise<readonly unknown[]> {
  const known = values.get(slot)
  if (known) return known
  const all = (fillings.get(slot) ?? []).map(({ load }) => load().then((module) => module.default))
  const loading = Promise.all(all)
  values.set(slot, loading)
  // After a failed load, the next page tries again.
  loading.catch(() => values.delete(slot))
  return loading
}

/** Returns the contents modules put into a slot, in their order; undefined while loading, empty if loading failed. */
export function useSlotContents<T>(slot: PageSlot<T>): readonly T[] | undefined {
  const [filled, setFilled] = useState<readonly T[]>()
  useEffect(() => {
    let isShown = true
    void valuesOf(slot.name).then(
      (found) => isShown && setFilled(found as readonly T[]),
      () => isShown && setFilled([]),
    )
    return () => {
      isShown = false
    }
  }, [slot.name])
  return filled
}

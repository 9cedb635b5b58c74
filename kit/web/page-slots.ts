import { useEffect, useState } from 'react'

/** A typed place of a page that modules above fill: the module of the page does not know them. */
type PageSlot<T> = { readonly name: string; readonly value?: T }

export const definePageSlot = <T>(name: string): PageSlot<T> => ({ name })

/** What a module puts into a place of another module's page, loaded when that page is shown. */
export type SlotFilling = { readonly slot: string; readonly load: () => Promise<{ default: unknown }> }

export const defineSlotFilling = <T>(slot: PageSlot<T>, load: () => Promise<{ default: NoInfer<T> }>): SlotFilling => ({
  slot: slot.name,
  load,
})

const fillings = new Map<string, SlotFilling[]>()
const values = new Map<string, Promise<readonly unknown[]>>()

/** Takes note of what a module fills; once for each module, before the first page. */
export function registerSlotFillings(given: readonly SlotFilling[]) {
  for (const filling of given) fillings.set(filling.slot, [...(fillings.get(filling.slot) ?? []), filling])
}

function valuesOf(slot: string): Promise<readonly unknown[]> {
  const known = values.get(slot)
  if (known) return known
  const all = (fillings.get(slot) ?? []).map(({ load }) => load().then((module) => module.default))
  const loading = Promise.all(all)
  values.set(slot, loading)
  // What could not be loaded is asked for again by the next page.
  loading.catch(() => values.delete(slot))
  return loading
}

/** What the modules above put there, in their order; `undefined` until it has been loaded. */
export function useSlotContents<T>(slot: PageSlot<T>): readonly T[] | undefined {
  const [there, setThere] = useState<readonly T[]>()
  useEffect(() => {
    let isShown = true
    void valuesOf(slot.name).then(
      (found) => isShown && setThere(found as readonly T[]),
      () => isShown && setThere([]),
    )
    return () => {
      isShown = false
    }
  }, [slot.name])
  return there
}

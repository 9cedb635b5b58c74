/**
 * A typed place in the services that one module fills and another, which does not know it, asks for. It is declared
 * where
 * it is asked for; what stands above fills it at start.
 */
type Slot<T> = { readonly name: string; readonly value?: T }

/** What fills a slot. */
export type SlotValue<S> = S extends Slot<infer T> ? T : never

export const defineSlot = <T>(name: string): Slot<T> => ({ name })

export type Slots = {
  fill: <T>(slot: Slot<T>, value: T) => void
  /** undefined while nobody has filled it. */
  find: <T>(slot: Slot<T>) => T | undefined
  /** Fills one place of a slot that several modules fill together. */
  add: <T>(slot: Slot<Record<string, T>>, key: string, value: T) => void
}

export function createSlots(): Slots {
  const values = new Map<string, unknown>()
  const find: Slots['find'] = <T>(slot: Slot<T>) => values.get(slot.name) as T | undefined
  return {
    find,
    fill: (slot, value) => void values.set(slot.name, value),
    add: (slot, key, value) => void values.set(slot.name, { ...find(slot), [key]: value }),
  }
}

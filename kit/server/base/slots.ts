/**
 * Typed key for a service that one module provides and another uses without depending on it. The using module declares
 * the slot; a module above fills it at start.
 */
type Slot<T> = { readonly name: string; readonly value?: T }

/** Type of the value a slot holds. */
export type SlotValue<S> = S extends Slot<infer T> ? T : never

export const defineSlot = <T>(name: string): Slot<T> => ({ name })

export type Slots = {
  fill: <T>(slot: Slot<T>, value: T) => void
  /** Returns undefined if nothing has filled the slot. */
  find: <T>(slot: Slot<T>) => T | undefined
  /** Adds one entry to a slot that several modules fill. */
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

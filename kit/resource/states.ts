import type { FieldValueTest } from '../fields/base/condition.ts'
import type { ExactKeys } from './exact-keys.ts'
import type { LocalizedText } from '../base/localized-text.ts'
import type { RowsChanged, Topic } from './topic.ts'

/** Stored values of states by name: `{ waiting: 0, done: 3 }`. `null` is a state whose column is empty. */
export type StateValues = Record<string, string | number | null>

/** A move from any of some states to one, or to one of several where somebody else decides which. */
export type Move<N extends string = string> = {
  from: readonly N[]
  to: N | readonly N[]
  /** Name of a move that has no action; an action's label names its move. */
  label?: LocalizedText
  /**
   * Made by SQL of its own: of a database trigger that follows another row, of an insert that meets its row, or of a
   * statement that sends each row where its own values say.
   */
  by?: 'trigger' | 'upsert' | 'statement'
}

/** A live topic moves are published to. One called `<name>.changed` replaces the usual one. */
export type MoveTopic<K extends string = string> = {
  topic: Topic<RowsChanged>
  /** Field whose value is sent as `ids`; nothing is sent if absent. */
  ids?: K | 'id'
  /** Fields by which hearers are limited, if not by the resource's `scope`. */
  limits?: Record<string, K>
  /** Permission of those who hear it; anybody within the row's limits if absent. */
  permission?: string
  /** Field with the only user who hears it, whatever they may list. */
  user?: K
}

/** States of a resource's rows: the field that holds them, and the moves between them. Nothing else changes a state. */
export type StateMachine<
  K extends string = string,
  V extends StateValues = StateValues,
  M extends Record<string, Move> = Record<string, Move>,
> = {
  field: K
  values: V
  /** States rows are created in. */
  initial: readonly Extract<keyof V, string>[]
  moves: M
  tells?: readonly MoveTopic[]
}

type OnlyMoves<M> = { [N in keyof M]: ExactKeys<M[N], Move> }

/**
 * Declares the states of a resource. Its actions of the same name as a move, or with `move`, are offered and accepted
 * in the move's `from` alone; `transition` (kit/server/resource/transition.ts) makes the moves.
 */
export const defineStates = <
  const K extends string,
  const V extends StateValues,
  const M extends Record<string, Move<Extract<keyof V, string>>>,
>(
  machine: StateMachine<K, V, M> & { moves: OnlyMoves<M> },
): StateMachine<K, V, M> => machine

/** Returns the stored values of states given by name. */
export const stateValuesOf = ({ values }: StateMachine, names: readonly string[]): (string | number | null)[] =>
  names.map((name) => values[name] as string | number | null)

/** Returns the name of a stored state; undefined for a value that is none. */
export const stateNameOf = ({ values }: StateMachine, value: unknown): string | undefined =>
  Object.keys(values).find((name) => values[name] === (value ?? null))

export const targetsOf = ({ to }: Move): readonly string[] => (typeof to === 'string' ? [to] : to)

/** What a condition on an action needs of its move: the state field is one of `from`. An empty column reads as `""`. */
export const moveConditionOf = (machine: StateMachine, move: string): Record<string, FieldValueTest> => ({
  [machine.field]: { in: stateValuesOf(machine, machine.moves[move]!.from).map((value) => value ?? '') },
})

/** Names of states no chain of moves leads to. */
export function unreachableStates({ values, initial, moves }: StateMachine): string[] {
  const reached = new Set<string>(initial)
  // A set grows while it is walked: what a move adds is looked at too.
  for (const state of reached)
    for (const move of Object.values(moves))
      if (move.from.includes(state)) for (const target of targetsOf(move)) reached.add(target)
  return Object.keys(values).filter((name) => !reached.has(name))
}

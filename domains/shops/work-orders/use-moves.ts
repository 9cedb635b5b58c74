import { useState } from 'react'
import { meets } from '#kit/fields/condition.ts'
import type { Action, Resource } from '#kit/resource/define-resource.ts'
import type { ActionRequest } from '#kit/web/form/action-dialog.tsx'
import type { RowFor } from '#kit/web/form/form-values.ts'
import { callAction, useActionRunner } from '#kit/web/form/run-action.ts'
import { useMay } from '#kit/web/session/use-may.ts'

export type Moves<R extends Resource<any, any>> = ReturnType<typeof useMoves<R>>

/** How rows move on: at once where nothing is asked, by a dialog where something is; and which row is in the hand. */
export function useMoves<R extends Resource<any, any>>(resource: R) {
  const may = useMay(resource)
  const { run } = useActionRunner(resource)
  const [asked, setAsked] = useState<ActionRequest>()
  const [dragged, setDragged] = useState<RowFor<R>>()
  const act = (name: string, row: RowFor<R>) => {
    const action = resource.actions[name] as Action
    if (action.confirm || action.danger || Object.keys(action.input ?? {}).length)
      return setAsked({ name, action, rows: [row] })
    void run(() => callAction(resource, name, action, { id: String(row.id) })).catch(() => {})
  }
  const canMove = (row: RowFor<R> | undefined, by: string | undefined) =>
    !!row && !!by && may.act(by) && meets(row, (resource.actions[by] as Action).enabled)
  return { act, canMove, asked, settle: () => setAsked(undefined), dragged, setDragged }
}

import { useState } from 'react'
import { meetsCondition } from '#kit/fields/base/condition.ts'
import type { Action, Resource } from '#kit/resource/define-resource.ts'
import type { ActionRequest } from '#kit/web/form/action-dialog.tsx'
import type { WireRowOrUntyped } from '#kit/web/row/form-values.ts'
import { callAction, useActionRunner } from '#kit/web/row/run-action.ts'
import { useResourcePermissions } from '#kit/web/session/use-may.ts'

export type BoardMoves<R extends Resource<any, any>> = ReturnType<typeof useBoardMoves<R>>

/**
 * Hook to move rows: at once, or by a dialog if the action has inputs or needs confirmation; also holds the dragged
 * row.
 */
export function useBoardMoves<R extends Resource<any, any>>(resource: R) {
  const may = useResourcePermissions(resource)
  const { run } = useActionRunner(resource)
  const [moveRequest, setMoveRequest] = useState<ActionRequest>()
  const [dragged, setDragged] = useState<WireRowOrUntyped<R>>()
  const act = (name: string, row: WireRowOrUntyped<R>) => {
    const action = resource.actions[name] as Action
    if (action.confirm || action.danger || Object.keys(action.input ?? {}).length)
      return setMoveRequest({ name, action, rows: [row] })
    void run(() => callAction(resource, name, action, { id: String(row.id) })).catch(() => {})
  }
  const canMove = (row: WireRowOrUntyped<R> | undefined, by: string | undefined) =>
    !!row && !!by && may.act(by) && meetsCondition(row, (resource.actions[by] as Action).enabled)
  return { act, canMove, asked: moveRequest, settle: () => setMoveRequest(undefined), dragged, setDragged }
}

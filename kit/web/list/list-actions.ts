import { useMemo, type Dispatch, type SetStateAction } from 'react'
import { treeParentKeyOf } from '#kit/fields/kinds.ts'
import type { Action } from '#kit/resource/define-resource.ts'
import type { ActionRequest } from '../form/action-dialog.tsx'
import type { UntypedRow } from '../row/form-values.ts'
import { callAction, refusalDetailsOf, actionTargetOf, type useActionRunner } from '../row/run-action.ts'
import type { LocalizedText } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { toast } from '../base/toast.ts'
import { useLatestRef } from '../base/use-latest.ts'
import type { BulkOperationRequest } from './bulk-dialog.tsx'
import type { ListSelection, ListDefinition } from './list-definition.ts'
import { listQueryParams } from './list-state.ts'
import { usePrintRowsActions } from './print-rows.ts'
import { useDeclaredRowActions, type RowAction } from './row-buttons.tsx'
import type { ResourceList } from './use-list.ts'

type Editing = { id?: string; preset?: UntypedRow; field?: string }

/** The dialogs open above the list. Each is kept separately, since one may be opened from another. */
export type ListDialogsState = {
  editing?: Editing
  removing?: UntypedRow[]
  asked?: ActionRequest
  bulk?: BulkOperationRequest
  isBinOpen?: boolean
  isImporting?: boolean
}

type Parts = {
  plan: ListDefinition
  list: ResourceList
  choice: ListSelection
  setLayers: Dispatch<SetStateAction<ListDialogsState>>
  run: ReturnType<typeof useActionRunner>['run']
}

/**
 * Returns the functions that open dialogs and start actions from any part of a list. The object never changes, so that
 * parts that only use it do not render again.
 */
export function useListActionHandlers(parts: Parts) {
  const latest = useLatestRef(parts)
  return useMemo(() => workOf(() => latest.current), [latest])
}

export type ListActions = ReturnType<typeof workOf>

function workOf(now: () => Parts) {
  const show = (layer: ListDialogsState) => now().setLayers((before) => ({ ...before, ...layer }))
  const open = (id: string | undefined) => now().list.set((before) => ({ ...before, detail: id }))
  const many = (operation: string, label: LocalizedText, rows: UntypedRow[], action?: Action) => {
    const { list, plan, choice } = now()
    const filter = choice.isAll
      ? { ...listQueryParams({ ...list.state, sort: undefined }), ...plan.page.fixed }
      : undefined
    show({ bulk: { operation, label, rows, action, filter } })
  }
  const act = (name: string, action: Action, rows: UntypedRow[]) => {
    if (action.confirm || action.danger || Object.keys(action.input ?? {}).length)
      return show({ asked: { name, action, rows } })
    void runWithoutDialog(now(), name, action, rows).catch((reason: Error) => {
      const { row } = refusalDetailsOf(reason)
      if (row) show({ asked: { name, action, rows, theirs: row } })
      else toast.error(reason.message)
    })
  }
  return {
    /** Opens the detail of a row; without an id closes it. */
    open,
    add: (preset?: UntypedRow) => show({ editing: { preset } }),
    /** Opens the form of a row, focused on `field` if given. */
    edit: (id: string, field?: string) => show({ editing: { id, field } }),
    /** Removes rows. One row is confirmed by its name; several open the bulk dialog, which previews each. */
    remove: (rows: UntypedRow[]) =>
      now().choice.isAll || rows.length > 1 ? many('remove', words.remove, rows) : show({ removing: rows }),
    editMany: (rows: UntypedRow[]) => many('edit', words.bulkEdit, rows),
    act,
    actMany: (name: string, action: Action, rows: UntypedRow[]) =>
      now().choice.isAll || action.on === 'row' ? many(name, action.label, rows, action) : act(name, action, rows),
    openBin: () => show({ isBinOpen: true }),
    openImport: () => show({ isImporting: true }),
    close: (layer: keyof ListDialogsState) => show({ [layer]: undefined }),
    /** Clears the selection after work on many rows is done. */
    finish: (isDone: boolean) => isDone && now().choice.choose([]),
  }
}

function runWithoutDialog({ plan: { resource }, run }: Parts, name: string, action: Action, rows: UntypedRow[]) {
  const target = actionTargetOf(action, rows)
  return run(() => callAction(resource, name, action, target, undefined, { quiet: true }), action.done)
}

/** Returns what a click on a row does; undefined if nothing. */
export const rowClickHandlerOf = (
  { page, may }: ListDefinition,
  work: ListActions,
): ((row: UntypedRow) => void) | undefined => page.onRow ?? (may.view ? (row) => work.open(String(row.id)) : undefined)

/** Returns the actions this user may take on a row: the declared ones and those the page adds or changes. */
export function useAllRowActions(
  plan: ListDefinition,
  work: ListActions,
  { isTree, set, refetch }: ResourceList,
): (row: UntypedRow) => RowAction[] {
  const { resource, page, may } = plan
  // If a click only selects the row (`page.current`), the "view" button opens its detail.
  const isPicked = page.current !== undefined
  const does = useMemo(
    () => ({
      onView: isPicked && may.view ? (row: UntypedRow) => work.open(String(row.id)) : rowClickHandlerOf(plan, work),
      onEdit: (row: UntypedRow) => work.edit(String(row.id)),
      onRemove: (row: UntypedRow) => work.remove([row]),
      onAction: (name: string, action: Action, row: UntypedRow) => work.act(name, action, [row]),
    }),
    [plan, isPicked, may, work],
  )
  const rowActions = useDeclaredRowActions(resource, does)
  const printing = usePrintRowsActions(resource)
  return useMemo(() => {
    const below = (row: UntypedRow): RowAction[] =>
      isTree && may.add
        ? [
            {
              key: 'below',
              label: words.addBelow,
              icon: 'plus',
              run: () => work.add({ [treeParentKeyOf(resource.fields)!]: String(row.id) }),
            },
          ]
        : []
    const all = (row: UntypedRow) =>
      rowActions(row, [...below(row), ...(page.rowActions?.(row, { set, refetch }) ?? []), ...printing([row])])
    return (row) => (page.transformActions ? page.transformActions(all(row), row) : all(row))
  }, [resource, page, may, work, isTree, set, refetch, rowActions, printing])
}

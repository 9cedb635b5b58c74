import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { WireRow } from '#kit/resource/index.ts'
import { apiGet, ApiError, apiPost } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { toast } from '#kit/web/base/toast.ts'
import { model, modelPrototype } from './model.resource.ts'
import { createModelColumn, type ModelColumn } from './part.ts'
import { mergeTableColumns, type EditedModelColumn } from './read-again.ts'

const words = {
  saved: { zh: '已保存', en: 'Saved' },
  again: {
    zh: '新增 {added} 列，更新 {changed} 列，表中已无 {gone} 列',
    en: '{added} {added|column|columns} added, {changed} updated, {gone} no longer in the table',
  },
}

/** The refused column (index) and the message for each refused field. */
export type ModelColumnErrors = { column: number; fields: Partial<Record<string, string>> }

const bodyOf = (
  { isGone: _gone, isAdded: _added, ...part }: EditedModelColumn,
  modelId: string,
  tenantId: string,
  sort: number,
) => ({
  ...part,
  modelId,
  tenantId,
  sort,
})

/** Loads the columns of a model, keeps the user's changes, and saves them as a whole. */
export function useModelColumns(row: WireRow<typeof model> | undefined) {
  const id = row ? String(row.id) : ''
  const [own, setOwn] = useState<EditedModelColumn[]>()
  const queryKey = ['develop', 'columns', id]
  const read = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      apiGet<EditedModelColumn[]>(`${model.path}/model-prototype`, { modelId: id }, { quiet: true, signal }),
    enabled: id !== '',
    retry: false,
    staleTime: Infinity,
  })

  const [wrong, setWrong] = useState<ModelColumnErrors>()
  const saved = read.data ?? []
  const parts = own ?? saved
  const put = (next: EditedModelColumn[] | undefined) => {
    setOwn(next)
    setWrong(undefined)
  }
  const work = useWork({ row, id, parts, saved, put, setWrong, queryKey })

  return {
    parts,
    read,
    ...work,
    wrong,
    isProposed: parts.some((part) => !part.id && !part.isAdded),
    // Proposed columns are not stored until the model is saved.
    isChanged: !!own || saved.some((part) => !part.id),
    change: (at: number, patch: Partial<ModelColumn>) => {
      setOwn(parts.map((part, place) => (place === at ? { ...part, ...patch } : part)))
      setWrong(wrong && withoutFields(wrong, at, patch))
    },
    add: () => put([...parts, { ...createModelColumn({}), isAdded: true }]),
    drop: (at: number) => put(parts.filter((_part, place) => place !== at)),
    dropGone: () => put(parts.filter(({ isGone }) => !isGone)),
    move: (at: number, by: -1 | 1) => {
      const next = [...parts]
      const [part] = next.splice(at, 1)
      next.splice(at + by, 0, part!)
      put(next)
    },
  }
}

/** Removes from a refusal the fields of its column that were changed since. */
const withoutFields = (
  { column, fields }: ModelColumnErrors,
  at: number,
  patch: Partial<ModelColumn>,
): ModelColumnErrors => ({
  column,
  fields: Object.fromEntries(Object.entries(fields).filter(([key]) => at !== column || !(key in patch))),
})

function wrongOf(reason: unknown): ModelColumnErrors | undefined {
  const { column, fields } = ((reason instanceof ApiError && reason.data) || {}) as Partial<ModelColumnErrors>
  return column !== undefined && fields ? { column, fields } : undefined
}

type Work = {
  row: WireRow<typeof model> | undefined
  id: string
  parts: EditedModelColumn[]
  saved: readonly EditedModelColumn[]
  put: (parts: EditedModelColumn[] | undefined) => void
  setWrong: (wrong: ModelColumnErrors | undefined) => void
  queryKey: readonly string[]
}

/** Saves the columns as a whole, or merges them with the table's current columns. */
function useWork({ row, id, parts, saved, put, setWrong, queryKey }: Work) {
  const t = useLocalize()
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const busy = async (work: () => Promise<void>) => {
    setBusy(true)
    setWrong(undefined)
    try {
      await work()
    } catch (reason) {
      // The client shows a toast; the user's input stays.
      setWrong(wrongOf(reason))
    } finally {
      setBusy(false)
    }
  }
  const save = () =>
    busy(async () => {
      const kept = new Set(parts.map((part) => part.id))
      const gone = saved.flatMap((part) => (part.id && !kept.has(part.id) ? [part.id] : []))
      // Saves first: nothing is removed when a column is refused.
      await apiPost(`${modelPrototype.path}/submit-list`, {
        body: parts.map((part, sort) => bodyOf(part, id, String(row!.tenantId), sort)),
      })
      if (gone.length) await apiPost(`${modelPrototype.path}/remove`, { query: { ids: gone.join(',') } })
      await client.invalidateQueries({ queryKey })
      put(undefined)
      toast.success(t(words.saved))
    })
  const again = () =>
    busy(async () => {
      const { fields } = await apiGet<{ fields: ModelColumn[] }>(`${model.path}/table-info`, { modelId: id })
      const { parts: next, ...counts } = mergeTableColumns(parts, fields)
      put(next)
      toast.success(t(words.again, counts))
    })
  return { isBusy, save, again }
}

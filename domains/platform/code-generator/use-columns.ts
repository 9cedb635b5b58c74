import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { WireRow } from '#kit/resource/index.ts'
import { get, HttpError, post } from '#kit/web/http.ts'
import { useLocalize } from '#kit/web/language.tsx'
import { toast } from '#kit/web/parts/toast.ts'
import { model, modelPrototype } from './model.resource.ts'
import { partSaid, type Part } from './part.ts'
import { readAgain, type ShownPart } from './read-again.ts'

const words = {
  saved: { zh: '已保存', en: 'Saved' },
  again: {
    zh: '新增 {added} 列，更新 {changed} 列，表中已无 {gone} 列',
    en: '{added} {added|column|columns} added, {changed} updated, {gone} no longer in the table',
  },
}

/** Which column was refused, and the sentence of each of its fields that is to blame. */
export type Wrong = { column: number; fields: Partial<Record<string, string>> }

const bodyOf = (
  { isGone: _gone, isAdded: _added, ...part }: ShownPart,
  modelId: string,
  tenantId: string,
  sort: number,
) => ({
  ...part,
  modelId,
  tenantId,
  sort,
})

/** The columns of a model as somebody works on them: read, changed on screen, saved as a whole. */
export function useColumns(row: WireRow<typeof model> | undefined) {
  const id = row ? String(row.id) : ''
  const [own, setOwn] = useState<ShownPart[]>()
  const queryKey = ['develop', 'columns', id]
  const read = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      get<ShownPart[]>(`${model.path}/model-prototype`, { modelId: id }, { quiet: true, signal }),
    enabled: id !== '',
    retry: false,
    staleTime: Infinity,
  })
  const [wrong, setWrong] = useState<Wrong>()
  const saved = read.data ?? []
  const parts = own ?? saved
  const put = (next: ShownPart[] | undefined) => {
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
    // What a table proposes is nobody's until it is saved.
    isChanged: !!own || saved.some((part) => !part.id),
    change: (at: number, patch: Partial<Part>) => {
      setOwn(parts.map((part, place) => (place === at ? { ...part, ...patch } : part)))
      setWrong(wrong && withoutFields(wrong, at, patch))
    },
    add: () => put([...parts, { ...partSaid({}), isAdded: true }]),
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

/** What of a refusal still stands once fields of a column were written anew. */
const withoutFields = ({ column, fields }: Wrong, at: number, patch: Partial<Part>): Wrong => ({
  column,
  fields: Object.fromEntries(Object.entries(fields).filter(([key]) => at !== column || !(key in patch))),
})

function wrongOf(reason: unknown): Wrong | undefined {
  const { column, fields } = ((reason instanceof HttpError && reason.data) || {}) as Partial<Wrong>
  return column !== undefined && fields ? { column, fields } : undefined
}

type Work = {
  row: WireRow<typeof model> | undefined
  id: string
  parts: ShownPart[]
  saved: readonly ShownPart[]
  put: (parts: ShownPart[] | undefined) => void
  setWrong: (wrong: Wrong | undefined) => void
  queryKey: readonly string[]
}

/** What goes to the server: the columns as a whole, and the question what the table says now. */
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
      // Shown as a toast; what is on screen stays.
      setWrong(wrongOf(reason))
    } finally {
      setBusy(false)
    }
  }
  const save = () =>
    busy(async () => {
      const kept = new Set(parts.map((part) => part.id))
      const gone = saved.flatMap((part) => (part.id && !kept.has(part.id) ? [part.id] : []))
      // Nothing is removed beside columns that are refused.
      await post(`${modelPrototype.path}/submit-list`, {
        body: parts.map((part, sort) => bodyOf(part, id, String(row!.tenantId), sort)),
      })
      if (gone.length) await post(`${modelPrototype.path}/remove`, { query: { ids: gone.join(',') } })
      await client.invalidateQueries({ queryKey })
      put(undefined)
      toast.success(t(words.saved))
    })
  const again = () =>
    busy(async () => {
      const { fields } = await get<{ fields: Part[] }>(`${model.path}/table-info`, { modelId: id })
      const { parts: next, ...counts } = readAgain(parts, fields)
      put(next)
      toast.success(t(words.again, counts))
    })
  return { isBusy, save, again }
}

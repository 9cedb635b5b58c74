import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { useState } from 'react'
import { apiGet } from '../http/http.ts'
import { useLanguage, useLocalize } from '../base/language.tsx'
import { words } from '../base/list-words.ts'
import { words as kit } from '../base/page-words.ts'
import { RecycleBinRows } from './recycle-bin.tsx'
import { ErrorNote, EmptyStateNote } from '../parts/states.tsx'
import '../base/kit.css'
import '../parts/parts.css'

type BinResource = { resource: string; label: string; count: number; title: string; code?: string }

/** Page of all removed rows the user may restore, one resource at a time. */
export default function RecycleBinPage() {
  const t = useLocalize()
  const language = useLanguage()
  const [picked, setPicked] = useState('')
  const { data, error, refetch } = useQuery({
    queryKey: ['bin', language],
    queryFn: ({ signal }) => apiGet<BinResource[]>('/api/kit/bin', undefined, { quiet: true, signal }),
  })
  const chosen = data?.find(({ resource }) => resource === picked) ?? data?.[0]
  const column = (key: string, label: typeof words.name, width: number) => ({
    key,
    label,
    width,
    cell: (row: Record<string, unknown>) => String(row[key] ?? ''),
  })

  return (
    <div className="kit-page">
      <header className="kit-title">
        <h1>{t(kit.bin)}</h1>
        <p>{t(words.binIntro)}</p>
      </header>
      <section className="kit-list">
        {error ? (
          <ErrorNote title={t(kit.failedList)} error={error} retry={() => void refetch()} />
        ) : !data ? (
          <Skeleton active paragraph={{ rows: 6 }} />
        ) : !chosen ? (
          <EmptyStateNote icon="rest" title={t(words.binEmpty)} hint={t(words.binEmptyHint)} />
        ) : (
          <>
            <div className="kit-bin-families" role="group" aria-label={t(words.family)}>
              {data.map(({ resource, label, count }) => (
                <button
                  key={resource}
                  type="button"
                  className="kit-side-all"
                  aria-pressed={resource === chosen.resource}
                  onClick={() => setPicked(resource)}
                >
                  {label} <span className="kit-quiet">{count >= 1000 ? '1000+' : count}</span>
                </button>
              ))}
            </div>
            <RecycleBinRows
              key={chosen.resource}
              name={chosen.resource}
              columns={[
                column(chosen.title, words.name, 240),
                ...(chosen.code ? [column(chosen.code, words.code, 160)] : []),
              ]}
            />
          </>
        )}
      </section>
    </div>
  )
}

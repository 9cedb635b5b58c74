import { useQuery } from '@tanstack/react-query'
import { Button, Select } from 'antd'
import { useRef, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { printPagePath } from '#kit/web/list/print-rows.ts'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { useElementWidth } from '#kit/web/list/use-width.ts'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useScreenSize } from '#kit/web/base/screen.ts'
import { useTab, useTabTitle } from '#kit/web/base/tab.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import type { PrintPageData } from './paper.ts'
import { DocumentsOnPhone } from './paper-flow.tsx'
import { DocumentPages } from './paper-pages.tsx'
import { printTemplate } from './print-template.resource.ts'
import { words } from './print-words.ts'
import { useDocumentPagination } from './use-pages.tsx'
import '#kit/web/base/kit.css'
import './prints.css'

/** Value of `template` in the URL for the built-in layout. */
const BUILT_IN = '0'

/** Shows rows as documents, as printed pages or for reading on a phone, and prints them. */
export default function PrintPage() {
  const t = useLocalize()
  const lang = useLanguage()
  const { kind = '' } = useParams()
  const [searchParams] = useSearchParams()
  const ids = searchParams.get('ids') ?? ''
  const templateId = searchParams.get('template') ?? undefined
  const { data, error, refetch } = useQuery({
    queryKey: ['prints', kind, ids, templateId, lang],
    queryFn: () => apiGet<PrintPageData>('/api/prints/sheets', { kind, ids, templateId }, { quiet: true }),
    // Not refreshed by itself: a printed document shows the rows as they were when it was opened.
    staleTime: 0,
    retry: false,
  })
  useTabTitle(data && `${t(data.layout.title)} ${data.sheets[0]?.number.slice(-6) ?? ''}`)
  if (error) return <ErrorNote title={t(words.failed)} error={error} retry={() => void refetch()} />
  if (!data)
    return (
      <div className="kit-page">
        <span className="kit-skeleton" />
      </div>
    )
  return <Documents printed={data} />
}

function Documents({ printed }: { printed: PrintPageData }) {
  const t = useLocalize()
  const { active } = useTab()
  const isPhone = useScreenSize() === 0
  // Only the active tab is laid out and printed.
  const { cuts, width, ruler } = useDocumentPagination(active ? printed : undefined)
  const pages = cuts && <DocumentPages paper={printed} cuts={cuts} />
  return (
    <div className="kit-page print-page">
      <header className="kit-title">
        <h1>{t(words.title)}</h1>
        <p>{cuts && t(words.sheets, { count: printed.sheets.length, pages: cuts.flat().length })}</p>
      </header>
      <Acts printed={printed} isReady={!!cuts} />
      {ruler}
      {isPhone ? <DocumentsOnPhone paper={printed} /> : <ScaledPages width={width}>{pages}</ScaledPages>}
      {active && pages && createPortal(<div className="paper-print">{pages}</div>, document.body)}
    </div>
  )
}

/** Shows pages at full size, or scaled down to the width of the screen. */
export function ScaledPages({ width, children }: { width: number; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const availableWidth = useElementWidth(box)
  const zoom = availableWidth && width ? Math.min(1, availableWidth / (width + 2)) : 1
  return (
    <div ref={box} className="paper-desk-room">
      <div className="paper-desk" style={{ zoom }}>
        {children}
      </div>
    </div>
  )
}

function Acts({ printed, isReady }: { printed: PrintPageData; isReady: boolean }) {
  const t = useLocalize()
  const go = useNavigate()
  const templates = useResourcePath(printTemplate.name)
  const { kind, kinds, sheets } = printed
  const address = (to: string, template?: string) =>
    printPagePath(
      to,
      sheets.map(({ id }) => id),
    ) + (template ? `&template=${template}` : '')
  return (
    <div className="print-acts">
      {kinds.length > 1 && (
        <Select
          aria-label={t(words.document)}
          value={kind}
          onChange={(to: string) => void go(address(to), { replace: true })}
          options={kinds.map((one) => ({ value: one.kind, label: t(one.label) }))}
        />
      )}
      {printed.templates.length > 0 && (
        <Select
          aria-label={t(words.template)}
          value={printed.templateId || BUILT_IN}
          onChange={(template: string) => void go(address(kind, template), { replace: true })}
          options={[
            ...printed.templates.map(({ id, name }) => ({ value: id, label: name })),
            { value: BUILT_IN, label: t(words.builtIn) },
          ]}
        />
      )}
      <span className="kit-grow" />
      {templates && <Link to={`${templates}?kind_equal=${kind}`}>{t(words.templates)}</Link>}
      <Button type="primary" icon={<Icon name="printer" />} disabled={!isReady} onClick={() => print()}>
        {t(words.print)}
      </Button>
    </div>
  )
}

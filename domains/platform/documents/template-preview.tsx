import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { formFieldEntries, fromFormValue } from '#kit/web/row/form-values.ts'
import { apiPost } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import type { LaidOutDocuments } from './paper.ts'
import { DocumentPages } from './paper-pages.tsx'
import { ScaledPages } from './print.page.tsx'
import { printTemplate } from './print-template.resource.ts'
import { words } from './print-words.ts'
import { useDocumentPagination } from './use-pages.tsx'
import './prints.css'

const DEBOUNCE_MS = 400

/** Returns the text once it has not changed for `DEBOUNCE_MS`. */
function useDebouncedText(text: string): string {
  const [previewed, setPreviewed] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPreviewed(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return previewed
}

/** Values of the template form. */
type Values = { readonly [key: string]: unknown }

const sent = (values: Values): string =>
  JSON.stringify(
    Object.fromEntries(
      formFieldEntries(printTemplate.fields).map(([key, field]) => [key, fromFormValue(values[key], field)]),
    ),
  )

/** Previews the template in the form with the tenant's newest row that has such a document. */
export default function TemplatePreview({ values }: { values: Values }) {
  const t = useLocalize()
  const lang = useLanguage()
  const draft = useDebouncedText(sent(values))
  const body = JSON.parse(draft) as Values
  const { data, error } = useQuery({
    queryKey: ['print-preview', draft, lang],
    queryFn: () => apiPost<LaidOutDocuments>('/api/prints/preview', { body }, { quiet: true }),
    enabled: !!body.kind,
    placeholderData: (before) => before,
    retry: false,
  })
  const { cuts, width, ruler } = useDocumentPagination(data)
  return (
    <section className="print-preview" aria-label={t(words.preview)}>
      <h3>{t(words.preview)}</h3>
      <p className="kit-quiet">
        {t(!body.kind ? words.chooseKind : data && !data.sheets.length ? words.noRow : words.previewRow)}
      </p>
      {error && (
        <p className="kit-error" role="alert">
          {error.message}
        </p>
      )}
      {ruler}
      {data && cuts && (
        <ScaledPages width={width}>
          <DocumentPages paper={data} cuts={cuts} />
        </ScaledPages>
      )}
    </section>
  )
}

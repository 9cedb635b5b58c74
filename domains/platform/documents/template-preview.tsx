import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { formFields, fromForm } from '#kit/web/form/form-values.ts'
import { post } from '#kit/web/http.ts'
import { useLang, useLocalize } from '#kit/web/language.tsx'
import type { Paper } from './paper.ts'
import { PaperPages } from './paper-pages.tsx'
import { Desk } from './print.page.tsx'
import { printTemplate } from './print-template.resource.ts'
import { words } from './print-words.ts'
import { usePages } from './use-pages.tsx'
import './prints.css'

const BREATH_MS = 400

/** What somebody typed, once they stopped. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), BREATH_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** What a form holds. */
type Values = { readonly [key: string]: unknown }

const sent = (values: Values): string =>
  JSON.stringify(
    Object.fromEntries(formFields(printTemplate.fields).map(([key, field]) => [key, fromForm(values[key], field)])),
  )

/** A template at work: the newest row of the tenant there is such a document of, as the form stands now. */
export default function TemplatePreview({ values }: { values: Values }) {
  const t = useLocalize()
  const lang = useLang()
  const draft = useSettled(sent(values))
  const body = JSON.parse(draft) as Values
  const { data, error } = useQuery({
    queryKey: ['print-preview', draft, lang],
    queryFn: () => post<Paper>('/api/prints/preview', { body }, { quiet: true }),
    enabled: !!body.kind,
    placeholderData: (before) => before,
    retry: false,
  })
  const { cuts, width, ruler } = usePages(data)
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
        <Desk width={width}>
          <PaperPages paper={data} cuts={cuts} />
        </Desk>
      )}
    </section>
  )
}

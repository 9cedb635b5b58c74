import { Select } from 'antd'
import { lazy, Suspense } from 'react'
import type { InputProps } from '#kit/fields/web-kind.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { withListFilters } from '#kit/web/list/list-state.ts'
import type { ResourceList } from '#kit/web/list/use-list.ts'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { TemplateFieldsInput, TemplateSignaturesInput } from './parts-input.tsx'
import { printTemplate } from './print-template.resource.ts'
import { words } from './print-words.ts'
import { useDocumentKinds } from './use-kinds.ts'
import './prints.css'

const TemplatePreview = lazy(() => import('./template-preview.tsx'))

const FILTER = 'kind_equal'

function KindInput({ value, onChange, id, disabled, invalid, describedBy }: InputProps) {
  const t = useLocalize()
  const kinds = useDocumentKinds() ?? []
  return (
    <Select
      id={id}
      className="kit-fill"
      value={String(value ?? '') || undefined}
      onChange={(next?: string) => onChange(next ?? '')}
      options={kinds.map(({ kind, label, family }) => ({
        value: kind,
        label: [...new Set([t(label), t(family)])].join(' · '),
      }))}
      showSearch={{ optionFilterProp: 'label' }}
      disabled={disabled}
      status={invalid ? 'error' : undefined}
      aria-describedby={describedBy}
    />
  )
}

function KindName({ value }: { value: string }) {
  const t = useLocalize()
  const kind = useDocumentKinds()?.find((one) => one.kind === value)
  return <>{kind ? t(kind.label) : value}</>
}

/** Filters the templates by kind of document. */
function KindFilter({ list }: { list: ResourceList }) {
  const t = useLocalize()
  const kinds = useDocumentKinds() ?? []
  return (
    <Select
      aria-label={t(words.document)}
      value={list.state.filters[FILTER] ?? ''}
      onChange={(next: string) => list.set((before) => withListFilters(before, { [FILTER]: next }))}
      popupMatchSelectWidth={false}
      options={[
        { value: '', label: t(words.all) },
        ...kinds.map(({ kind, label }) => ({ value: kind, label: t(label) })),
      ]}
    />
  )
}

const inputs = {
  kind: KindInput,
  facts: TemplateFieldsInput,
  columns: TemplateFieldsInput,
  totals: TemplateFieldsInput,
  signs: TemplateSignaturesInput,
}

export default function PrintTemplatePage() {
  return (
    <ResourcePage
      resource={printTemplate}
      page={{
        intro: words.intro,
        inputs,
        cells: { kind: ({ value }) => <KindName value={String(value)} /> },
        chips: { [FILTER]: KindName },
        toolbar: (list) => <KindFilter list={list} />,
        preset: (list) => ({ kind: list.state.filters[FILTER] ?? '' }),
        formWidth: 1280,
        formBeside: (values) => (
          <Suspense fallback={<span className="kit-skeleton" />}>
            <TemplatePreview values={values} />
          </Suspense>
        ),
      }}
    />
  )
}

import { InputNumber, Segmented, Select } from 'antd'
import { lazy, Suspense, type ReactNode } from 'react'
import { dimensionLabel, dimensionsOf } from '#kit/resource/measures.ts'
import { reportTimeSpans, type ReportQuery } from '#kit/resource/report-query.ts'
import { SearchBar } from '#kit/web/list/search-bar.tsx'
import { FilterChips } from '#kit/web/list/filter-chips.tsx'
import { useLanguage, useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { words } from './report-words.ts'
import type { ReportableResource } from './use-report.ts'

const DateRange = lazy(() => import('#kit/fields/date/range-filter.web.tsx'))

type Props = { question: ReportQuery; onChange: (change: Partial<ReportQuery>) => void }

const Box = ({ label, children }: { label: LocalizedText; children: ReactNode }) => (
  <label className="report-box">
    <span>{useLocalize()(label)}</span>
    {children}
  </label>
)

/** Bar for the days of a report and what they are compared with: what readers change most often. */
export function ReportTimeSpanBar({ question, onChange, family }: Props & { family: ReportableResource }) {
  const t = useLocalize()
  const { time, compare } = question
  const field = time?.field ?? family.times[0]
  const isCustom = !!time && time.span.includes('~')
  const set = (span: string) =>
    onChange(span && field ? { time: { field, span } } : { time: undefined, compare: undefined })
  if (!field) return null
  return (
    <>
      <Select
        className="report-span"
        aria-label={t(words.span)}
        value={isCustom ? 'custom' : (time?.span ?? '')}
        onChange={(key) => set(key === 'custom' ? `${today()}~${today()}` : key)}
        options={[
          { value: '', label: t(words.always) },
          ...reportTimeSpans.map((key) => ({ value: key as string, label: t(words[`span_${key}`]) })),
          { value: 'custom', label: t(words.custom) },
        ]}
      />
      {isCustom && (
        <Suspense fallback={null}>
          <CustomDays span={time.span} onChange={set} />
        </Suspense>
      )}
      {time && (
        <Select
          className="report-compare"
          aria-label={t(words.compare)}
          value={compare ?? 'none'}
          onChange={(key) => onChange({ compare: key === 'none' ? undefined : (key as ReportQuery['compare']) })}
          options={(['none', 'before', 'lastYear'] as const).map((key) => ({
            value: key as string,
            label: key === 'none' ? t(words.compare_none) : `${t(words.compare)} ${t(words[`compare_${key}`])}`,
          }))}
        />
      )}
    </>
  )
}

const today = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)

function CustomDays({ span, onChange }: { span: string; onChange: (span: string) => void }) {
  const [from = '', to = ''] = span.split('~')
  return (
    <DateRange
      id="report-days"
      from={from}
      to={to}
      onChange={(first, last) => first && last && onChange(`${first}~${last}`)}
    />
  )
}

/** Editor for the parts of a report: data, rows, columns, figures, filters and order. */
export function ReportBuilder({
  question,
  onChange,
  families,
  family,
}: Props & { families: ReportableResource[]; family?: ReportableResource }) {
  return (
    <section className="report-card report-builder">
      <div className="report-boxes">
        <ResourceBox question={question} onChange={onChange} families={families} />
        {family && <Sides question={question} onChange={onChange} family={family} />}
        {family && <Order question={question} onChange={onChange} family={family} />}
      </div>
      {family && <FilterPart question={question} onChange={onChange} family={family} />}
    </section>
  )
}

function ResourceBox({ question, onChange, families }: Props & { families: ReportableResource[] }) {
  const t = useLocalize()
  const choose = (name: string) => {
    const { resource, times } = families.find((one) => one.resource.name === name)!
    onChange({
      family: name,
      filters: {},
      rows: dimensionsOf(resource)
        .slice(0, 1)
        .map(({ key }) => key),
      columns: [],
      measures: Object.keys(resource.measures).slice(0, 1),
      time: times[0] ? { field: times[0], span: 'last30' } : undefined,
      compare: undefined,
      sort: undefined,
      top: undefined,
    })
  }
  return (
    <Box label={words.family}>
      <Select
        value={question.family || undefined}
        onChange={choose}
        showSearch={{ optionFilterProp: 'label' }}
        options={families.map(({ resource }) => ({ value: resource.name, label: t(resource.label) }))}
      />
    </Box>
  )
}

/** Choice of the row and column dimensions and the figures. */
function Sides({ question, onChange, family }: Props & { family: ReportableResource }) {
  const t = useLocalize()
  const lang = useLanguage()
  const { resource } = family
  const dimensions = dimensionsOf(resource).map((one) => ({ value: one.key, label: dimensionLabel(one, lang) }))
  const measures = Object.entries(resource.measures)
  const without = (used: readonly string[]) => dimensions.filter(({ value }) => !used.includes(value))
  const many = { mode: 'multiple' as const, showSearch: { optionFilterProp: 'label' } }

  return (
    <>
      <Box label={words.rows}>
        <Select
          {...many}
          maxCount={3}
          value={[...question.rows]}
          onChange={(rows) => onChange({ rows })}
          options={without(question.columns)}
        />
      </Box>
      <Box label={words.columns}>
        <Select
          {...many}
          maxCount={2}
          value={[...question.columns]}
          onChange={(columns) => onChange({ columns })}
          options={without(question.rows)}
        />
      </Box>
      <Box label={words.measures}>
        <Select
          {...many}
          maxCount={8}
          value={[...question.measures]}
          onChange={(chosen) =>
            onChange({
              measures: chosen,
              ...(question.sort && !chosen.includes(question.sort) ? { sort: undefined } : {}),
            })
          }
          options={measures.map(([value, { label }]) => ({ value, label: t(label) }))}
        />
      </Box>
    </>
  )
}

/** Choice of the time field, sort order, number of rows and chart. */
function Order({ question, onChange, family }: Props & { family: ReportableResource }) {
  const t = useLocalize()
  const lang = useLanguage()
  const { resource, times } = family

  const label = (key: string) => {
    const one = dimensionsOf(resource).find(({ fieldKey }) => fieldKey === key)!
    return dimensionLabel({ ...one, part: undefined }, lang)
  }
  const sorts = question.measures.map((value) => ({ value, label: t(resource.measures[value]!.label) }))

  return (
    <>
      {times.length > 1 && (
        <Box label={words.time}>
          <Select
            value={question.time?.field ?? times[0]}
            onChange={(field) => onChange({ time: { field, span: question.time?.span ?? 'last30' } })}
            options={times.map((key) => ({ value: key, label: label(key) }))}
          />
        </Box>
      )}
      <Box label={words.sort}>
        <Select
          value={question.sort ?? ''}
          onChange={(sort) => onChange({ sort: sort || undefined })}
          options={[{ value: '', label: t(words.sort_own) }, ...sorts]}
        />
      </Box>
      <Box label={words.top}>
        <InputNumber
          min={1}
          max={500}
          value={question.top ?? null}
          placeholder={t(words.topAll)}
          onChange={(top) => onChange({ top: top ?? undefined })}
        />
      </Box>
      <div className="report-box">
        <span>{t(words.chart)}</span>
        <Segmented
          value={question.chart ?? 'none'}
          onChange={(chart) => onChange({ chart: chart === 'none' ? undefined : (chart as ReportQuery['chart']) })}
          options={(['none', 'bar', 'line'] as const).map((key) => ({
            value: key as string,
            label: t(words[`chart_${key}`]),
          }))}
        />
      </div>
    </>
  )
}

function FilterPart({ question, onChange, family }: Props & { family: ReportableResource }) {
  const { fields } = family.resource
  const set = (changes: Record<string, string>) =>
    onChange({
      filters: Object.fromEntries(
        Object.entries({ ...question.filters, ...changes }).filter(([, value]) => value !== ''),
      ),
    })
  const own = Object.fromEntries(Object.entries(fields).filter(([key]) => !family.times.includes(key))) as typeof fields
  return (
    <>
      <SearchBar fields={own} filters={question.filters} onChange={set} />
      <FilterChips
        fields={fields}
        filters={question.filters}
        onDrop={(keys) => set(Object.fromEntries(keys.map((key) => [key, ''])))}
      />
    </>
  )
}

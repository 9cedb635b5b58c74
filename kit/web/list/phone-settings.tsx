import { Segmented, Select } from 'antd'
import { useId } from 'react'
import ColumnSettings from './column-settings.tsx'
import { useLocalize } from '../base/language.tsx'
import { useListRows, useListColumns } from './list-scope.tsx'
import { words } from '../base/page-words.ts'
import { CARD_FACTS_MAX } from './row-cards.tsx'

/** Settings of a list shown as cards: its sort order, and which columns the cards show in which order. */
export default function CardListSettings() {
  const t = useLocalize()
  const id = useId()
  const {
    sort: { key, descending },
    set,
  } = useListRows()
  const { columns, settings, setSettings } = useListColumns()
  const sort = (change: { key?: string; descending?: boolean }) =>
    set((before) => ({ ...before, sort: { key, descending, ...change }, current: 1 }))
  const sortable = columns.filter((column) => column.sortable)
  return (
    <div className="kit-phone-settings">
      <label htmlFor={id}>{t(words.sortBy)}</label>
      <Select
        id={id}
        size="large"
        virtual={false}
        value={sortable.some((column) => column.key === key) ? key : undefined}
        onChange={(next) => sort({ key: next })}
        options={sortable.map((column) => ({ value: column.key, label: t(column.label) }))}
      />
      <Segmented<boolean>
        block
        aria-label={t(words.sortBy)}
        value={descending}
        onChange={(next) => sort({ descending: next })}
        options={[
          { value: true, label: t(words.descending) },
          { value: false, label: t(words.ascending) },
        ]}
      />
      <p className="kit-quiet">{t(words.cardFacts, { count: CARD_FACTS_MAX })}</p>
      <ColumnSettings columns={columns} settings={settings} onChange={setSettings} />
    </div>
  )
}

import { Segmented, Select } from 'antd'
import { useId } from 'react'
import { useLocalize } from '../base/language.tsx'
import { useListRows, useListColumns } from './list-scope.tsx'
import { words } from '../base/page-words.ts'

/** Order of a list on a phone, whose rows have no headings to click. */
export default function CardListSettings() {
  const t = useLocalize()
  const id = useId()
  const {
    sort: { key, descending },
    set,
  } = useListRows()
  const { columns } = useListColumns()
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
    </div>
  )
}

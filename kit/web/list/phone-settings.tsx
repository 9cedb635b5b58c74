import { Segmented, Select } from 'antd'
import { useId } from 'react'
import type { Resource } from '#kit/resource/define-resource.ts'
import ColumnSettings from './column-settings.tsx'
import type { Column } from './columns.tsx'
import { useSay } from '../language.tsx'
import type { ListSettings } from './list-settings.ts'
import { defaultSort } from './list-state.ts'
import { words } from '../page-words.ts'
import { FACTS } from './row-cards.tsx'
import type { List } from './use-list.ts'

type Props = {
  resource: Resource<any, any>
  list: List
  columns: readonly Column[]
  settings: ListSettings
  onSettings: (settings: ListSettings) => void
}

/** How a list of cards is sorted, and what the cards show in which order. */
export default function PhoneSettings({ resource, list, columns, settings, onSettings }: Props) {
  const say = useSay()
  const id = useId()
  const { state, set } = list
  const { key, descending } = state.sort ?? defaultSort(resource)
  const sort = (change: { key?: string; descending?: boolean }) =>
    set((before) => ({ ...before, sort: { key, descending, ...change }, current: 1 }))
  const sortable = columns.filter((column) => column.sortable)
  return (
    <div className="kit-phone-settings">
      <label htmlFor={id}>{say(words.sortBy)}</label>
      <Select
        id={id}
        size="large"
        virtual={false}
        value={sortable.some((column) => column.key === key) ? key : undefined}
        onChange={(next) => sort({ key: next })}
        options={sortable.map((column) => ({ value: column.key, label: say(column.label) }))}
      />
      <Segmented<boolean>
        block
        aria-label={say(words.sortBy)}
        value={descending}
        onChange={(next) => sort({ descending: next })}
        options={[
          { value: true, label: say(words.descending) },
          { value: false, label: say(words.ascending) },
        ]}
      />
      <p className="kit-quiet">{say(words.cardFacts, { count: FACTS })}</p>
      <ColumnSettings columns={columns} settings={settings} onChange={onSettings} />
    </div>
  )
}

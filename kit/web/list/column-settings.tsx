import { Button, Checkbox, Segmented } from 'antd'
import { useState } from 'react'
import { Icon } from '../theme/icon.tsx'
import { useLocalize, type LocalizedText } from '../base/language.tsx'
import { useSlotContents } from '../base/page-slots.ts'
import { useListDefinition } from './list-scope.tsx'
import { columnSettingsFooterSlot } from './list-slots.ts'
import { moveColumn, columnSettingsOf, type TableDensity, type ListSettings } from './list-settings.ts'
import { words } from '../base/page-words.ts'

type Item = { key: string; label: LocalizedText; hidden?: boolean; width?: number; isDrawn?: boolean }
type Props = {
  columns: readonly Item[]
  settings: ListSettings
  onChange: (settings: ListSettings) => void
  /** Undefined if the rows are shown as cards, which have no density. */
  density?: TableDensity
}

/** Settings to show, hide and order columns, by mouse or keyboard, and to set the density of the rows. */
export default function ColumnSettings({ columns, settings, onChange, density }: Props) {
  const t = useLocalize()
  const [dragged, setDragged] = useState<string>()
  const { resource } = useListDefinition()
  const feet = useSlotContents(columnSettingsFooterSlot)
  const keep = (next: readonly Item[]) => onChange({ ...settings, columns: columnSettingsOf(next) })

  return (
    <div className="kit-columns">
      {density && (
        <Segmented<TableDensity>
          block
          aria-label={t(words.density)}
          value={density}
          onChange={(next) => onChange({ ...settings, density: next })}
          options={(['small', 'medium', 'large'] as const).map((value) => ({ value, label: t(words[value]) }))}
        />
      )}
      <ul>
        {columns.map((column) => (
          <li
            key={column.key}
            draggable
            className={dragged === column.key ? 'kit-dragged' : undefined}
            onDragStart={() => setDragged(column.key)}
            onDragEnd={() => setDragged(undefined)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() =>
              dragged && dragged !== column.key && keep(moveColumn(columns, dragged, { before: column.key }))
            }
          >
            <ColumnLine columns={columns} column={column} onKeep={keep} />
          </li>
        ))}
      </ul>
      <Button type="link" size="small" onClick={() => onChange({ ...settings, columns: [], density: undefined })}>
        {t(words.resetColumns)}
      </Button>
      {feet?.map((Foot, at) => (
        <Foot key={at} resource={resource} />
      ))}
    </div>
  )
}

type LineProps = { columns: readonly Item[]; column: Item; onKeep: (columns: readonly Item[]) => void }

/** Line of one column: a checkbox to show it and buttons to move it up or down. */
function ColumnLine({ columns, column, onKeep }: LineProps) {
  const t = useLocalize()
  const { key, hidden } = column
  const name = t(column.label)
  const isLastShown = !hidden && columns.filter((one) => !one.hidden).length === 1
  const tick = (isShown: boolean) =>
    onKeep(columns.map((one) => (one.key === key ? { ...one, hidden: !isShown } : one)))
  return (
    <>
      <Icon name="drag" className="kit-quiet" />
      <Checkbox checked={!hidden} disabled={isLastShown} onChange={(event) => tick(event.target.checked)}>
        {name}
      </Checkbox>
      <span className="kit-grow" />
      <Button
        type="text"
        size="small"
        disabled={columns[0] === column}
        aria-label={t(words.moveUp, { name })}
        icon={<Icon name="arrow-up" />}
        onClick={() => onKeep(moveColumn(columns, key, -1))}
      />
      <Button
        type="text"
        size="small"
        disabled={columns.at(-1) === column}
        aria-label={t(words.moveDown, { name })}
        icon={<Icon name="arrow-down" />}
        onClick={() => onKeep(moveColumn(columns, key, 1))}
      />
    </>
  )
}

import { Button, Checkbox, Segmented } from 'antd'
import { useState } from 'react'
import { Icon } from '../theme/icon.tsx'
import { useSay, type Words } from '../language.tsx'
import { moveColumn, settingsOf, type Density, type ListSettings } from './list-settings.ts'
import { words } from '../page-words.ts'

type Item = { key: string; label: Words; hidden?: boolean; width?: number; isDrawn?: boolean }
type Props = {
  columns: readonly Item[]
  settings: ListSettings
  onChange: (settings: ListSettings) => void
  /** Missing where rows are cards, which know no density. */ density?: Density
}

/** Shows, hides and orders columns by mouse and keyboard, and sets how dense the rows stand. */
export default function ColumnSettings({ columns, settings, onChange, density }: Props) {
  const say = useSay()
  const [dragged, setDragged] = useState<string>()
  const keep = (next: readonly Item[]) => onChange({ ...settings, columns: settingsOf(next) })
  const shownCount = columns.filter((column) => !column.hidden).length
  return (
    <div className="kit-columns">
      {density && (
        <Segmented<Density>
          block
          aria-label={say(words.density)}
          value={density}
          onChange={(next) => onChange({ ...settings, density: next })}
          options={(['small', 'medium', 'large'] as const).map((value) => ({ value, label: say(words[value]) }))}
        />
      )}
      <ul>
        {columns.map((column, index) => (
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
            <Icon name="drag" className="kit-quiet" />
            <Checkbox
              checked={!column.hidden}
              disabled={!column.hidden && shownCount === 1}
              onChange={(event) =>
                keep(columns.map((one) => (one.key === column.key ? { ...one, hidden: !event.target.checked } : one)))
              }
            >
              {say(column.label)}
            </Checkbox>
            <span className="kit-grow" />
            <Button
              type="text"
              size="small"
              disabled={index === 0}
              aria-label={say(words.moveUp, { name: say(column.label) })}
              icon={<Icon name="arrow-up" />}
              onClick={() => keep(moveColumn(columns, column.key, -1))}
            />
            <Button
              type="text"
              size="small"
              disabled={index === columns.length - 1}
              aria-label={say(words.moveDown, { name: say(column.label) })}
              icon={<Icon name="arrow-down" />}
              onClick={() => keep(moveColumn(columns, column.key, 1))}
            />
          </li>
        ))}
      </ul>
      <Button type="link" size="small" onClick={() => onChange({ ...settings, columns: [], density: undefined })}>
        {say(words.resetColumns)}
      </Button>
    </div>
  )
}

import { InputNumber } from 'antd'
import { useState } from 'react'
import type { Resource } from '#kit/resource/define-resource.ts'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { rowTitleOf } from '../row/action-words.ts'
import type { CellOverride } from '../row/field-cell.tsx'
import type { UntypedRow } from '../row/form-values.ts'
import { apiPost } from '../http/http.ts'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { toast } from '../base/toast.ts'
import { useInvalidateResource } from '../row/use-detail.ts'
import { useResourcePermissions } from '../session/use-may.ts'
import '../parts/parts.css'

/** Creates a cell for the field `sort` of a row, which users with edit permission change in place. */
export const createSortOrderCell =
  (resource: Resource<any, any>): CellOverride =>
  ({ row, value, place }: CellProps) =>
    place === 'table' ? (
      <SortBox key={`${String(row.id)}:${String(value)}`} resource={resource} row={row} />
    ) : (
      <span className="kit-number">{String(value ?? '')}</span>
    )

function SortBox({ resource, row }: { resource: Resource<any, any>; row: UntypedRow }) {
  const t = useLocalize()
  const may = useResourcePermissions(resource)
  const renew = useInvalidateResource()
  const [value, setValue] = useState<number | null>(Number(row.sort ?? 0))
  const [isSaving, setSaving] = useState(false)
  if (!may.edit) return <span className="kit-number">{String(row.sort ?? '')}</span>
  const save = async () => {
    if (isSaving || value === null || value === Number(row.sort)) return setValue(Number(row.sort))
    setSaving(true)
    try {
      await apiPost(`${resource.path}/submit`, {
        body: { id: row.id, ...(row.version !== undefined && { version: row.version }), sort: value },
      })
      toast.success(t(words.updated))
      await renew(resource)
    } catch {
      setValue(Number(row.sort))
    } finally {
      setSaving(false)
    }
  }
  return (
    <span className="kit-sort" onClick={(event) => event.stopPropagation()}>
      <InputNumber
        size="small"
        variant="filled"
        min={0}
        max={1_000_000}
        precision={0}
        value={value}
        readOnly={isSaving}
        aria-label={`${rowTitleOf(resource, row)} ${t(resource.fields.sort.label)}`}
        onChange={(next) => setValue(next)}
        onBlur={() => void save()}
        onPressEnter={() => void save()}
        onKeyDown={(event) => event.key === 'Escape' && setValue(Number(row.sort))}
      />
    </span>
  )
}

import { Alert } from 'antd'
import type { Resource } from '#kit/resource/define-resource.ts'
import { FieldChanges } from '../row/changes.tsx'
import { changedFormFieldKeys, initialFormValues, type UntypedRow } from '../row/form-values.ts'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/list-words.ts'
import { words as kit } from '../base/page-words.ts'

/** Notice of what somebody else changed in a row between its display and this action on it. */
export default function RowChangedNotice({
  resource,
  seen,
  now,
}: {
  resource: Resource<any, any>
  seen: UntypedRow
  now: UntypedRow
}) {
  const t = useLocalize()
  const keys = changedFormFieldKeys(
    resource.fields,
    initialFormValues(resource.fields, seen),
    initialFormValues(resource.fields, now),
  ).filter((key) => key in seen)
  return (
    <Alert
      className="kit-note"
      type="warning"
      showIcon
      title={t(words.changedSince, {
        user: String(now.updateUserName || t(kit.someone)),
        time: String(now.updateTime ?? ''),
      })}
      description={<FieldChanges fields={resource.fields} keys={keys} was={seen} now={now} />}
    />
  )
}

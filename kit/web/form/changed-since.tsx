import { Alert } from 'antd'
import type { Resource } from '#kit/resource/define-resource.ts'
import { Changes } from '../detail/changes.tsx'
import { changedKeys, startValues, type Row } from './form-values.ts'
import { useLocalize } from '../language.tsx'
import { words } from '../list/list-words.ts'
import { words as kit } from '../page-words.ts'

/** What somebody changed of a row between its being shown and its being worked on. */
export default function ChangedSince({ resource, seen, now }: { resource: Resource<any, any>; seen: Row; now: Row }) {
  const t = useLocalize()
  const keys = changedKeys(
    resource.fields,
    startValues(resource.fields, seen),
    startValues(resource.fields, now),
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
      description={<Changes fields={resource.fields} keys={keys} was={seen} now={now} />}
    />
  )
}

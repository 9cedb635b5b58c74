import { Tag } from 'antd'
import { useLocalize } from '#kit/web/base/language.tsx'
import { changeRequestStateDictionary } from './flow-change.resource.ts'

const entryOf = (state: number) => changeRequestStateDictionary.entries.find(({ key }) => key === String(state))

/** Shows the state of a change request. "Agreed" is not "done": it may still not be executed. */
export function ChangeRequestStateText({ state }: { state: number }) {
  const t = useLocalize()
  const entry = entryOf(state)
  return <>{entry && t(entry)}</>
}

export function ChangeRequestStateTag({ state }: { state: number }) {
  return (
    <Tag color={entryOf(state)?.colour}>
      <ChangeRequestStateText state={state} />
    </Tag>
  )
}

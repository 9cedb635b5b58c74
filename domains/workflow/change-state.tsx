import { Tag } from 'antd'
import { useSay } from '#kit/web/language.tsx'
import { flowChangeState } from './flow-change.resource.ts'

const entryOf = (state: number) => flowChangeState.entries.find(({ key }) => key === String(state))

/** Where a change stands: agreed to is not done yet, and may not be done at all. */
export function ChangeState({ state }: { state: number }) {
  const say = useSay()
  const entry = entryOf(state)
  return <>{entry && say(entry)}</>
}

export function ChangeTag({ state }: { state: number }) {
  return (
    <Tag color={entryOf(state)?.colour}>
      <ChangeState state={state} />
    </Tag>
  )
}

import { Button, Tag, Timeline } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import type { TaskActionRecord, ProcessHistoryStep } from './process-data.ts'
import { words } from './work-words.ts'

const DiagramDialog = lazy(() => import('./diagram-viewer.tsx'))

const COLOURS = ['processing', 'success', 'error', 'default', 'warning']

/** Shows the outcome of a process, or that it is running. */
export function ProcessOutcomeTag({ outcome }: { outcome: number }) {
  const t = useLocalize()
  const key = `outcome_${outcome}` as 'outcome_1'
  return <Tag color={COLOURS[outcome]}>{t(outcome ? words[key] : words.running)}</Tag>
}

const SIGNED = 'userTask'
type Entry = { at: string; step?: ProcessHistoryStep; act?: TaskActionRecord }

/** Shows the history of an instance by time: elements passed, decisions and other actions. */
export function ProcessHistory({
  steps,
  acts,
  processInstanceId,
}: {
  steps: ProcessHistoryStep[]
  acts: TaskActionRecord[]
  processInstanceId: string
}) {
  const t = useLocalize()
  const [isShown, setShown] = useState(false)
  const entries: Entry[] = [
    ...steps.map((step) => ({ at: step.endTime || '9', step })),
    ...acts.map((act) => ({ at: act.createTime, act })),
  ].toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
  return (
    <div className="work-card">
      <div className="work-card-head">
        <h2>{t(words.history)}</h2>
        <Button onClick={() => setShown(true)}>{t(words.diagram)}</Button>
      </div>
      <Timeline
        items={entries.map(({ step, act }, at) => ({
          key: at,
          color: act ? 'gray' : step!.endTime ? 'green' : 'blue',
          content: act ? <ActLine act={act} /> : <StepLine step={step!} />,
        }))}
      />
      {isShown && (
        <Suspense>
          <DiagramDialog processInstanceId={processInstanceId} onClose={() => setShown(false)} />
        </Suspense>
      )}
    </div>
  )
}

/** Returns the name of a step; an element without a name is called by its type. */
function nameOf(step: ProcessHistoryStep, t: (words: LocalizedText) => string): string {
  const kind = words[`step_${step.historyActivityType}` as keyof typeof words]
  return step.historyActivityName === step.historyActivityId && kind ? t(kind) : step.historyActivityName
}

function StepLine({ step }: { step: ProcessHistoryStep }) {
  const t = useLocalize()
  const isSigned = step.historyActivityType === SIGNED && step.endTime && step.assigneeName
  return (
    <>
      <strong>{nameOf(step, t)}</strong> {step.assigneeName}{' '}
      {isSigned ? (
        <Tag color={step.pass ? 'success' : 'error'}>{t(step.pass ? words.passed : words.refused)}</Tag>
      ) : (
        !step.endTime && <Tag color="processing">{t(words.waits)}</Tag>
      )}
      {step.comment && <p>{step.comment}</p>}
      <p className="kit-quiet">
        {step.endTime || step.createTime}
        {isSigned &&
          step.historyActivityDurationTime &&
          ` · ${t(words.took, { time: step.historyActivityDurationTime })}`}
      </p>
    </>
  )
}

function ActLine({ act }: { act: TaskActionRecord }) {
  const t = useLocalize()
  const actText = words[`act_${act.act}` as keyof typeof words]
  return (
    <>
      {act.userName} {actText ? t(actText, { people: act.peopleNames.join('、') }) : act.act}
      {act.name && <span className="kit-quiet"> · {act.name}</span>}
      {act.comment && <p>{act.comment}</p>}
      <p className="kit-quiet">{act.createTime}</p>
    </>
  )
}

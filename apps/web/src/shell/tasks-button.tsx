import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useLocalize } from '#kit/web/language.tsx'
import { Popup } from '#kit/web/parts/popup.tsx'
import { isUnderWay, taskWords, useTasks, type Task } from '#kit/web/list/tasks.ts'
import { toast } from '#kit/web/parts/toast.ts'
import { BarButton } from './bar-button.tsx'

const TaskPanel = lazy(() => import('#kit/web/list/task-panel.tsx'))
const SheetImport = lazy(() => import('#kit/web/list/sheet-import.tsx'))

const LONG_MS = 7000

/** Exports and imports of the user, once there are any. */
export function TasksButton() {
  const t = useLocalize()
  const { tasks, again } = useTasks()
  const [open, setOpen] = useState(false)
  const [looked, setLooked] = useState<Task>()
  const begun = useRef(new Map<string, number>())
  useEffect(() => {
    for (const task of tasks) {
      const since = begun.current.get(task.id)
      if (isUnderWay(task)) begun.current.set(task.id, since ?? Date.now())
      else if (
        begun.current.delete(task.id) &&
        task.kind !== 'import' &&
        task.state === 'done' &&
        Date.now() - since! > LONG_MS
      )
        toast.success(t(taskWords.finished, task))
    }
  }, [tasks, t])
  const count = tasks.filter((task) => isUnderWay(task) || task.state === 'checked').length
  return (
    <>
      {tasks.length > 0 && (
        <Popup
          label={t(taskWords.title)}
          placement="bottomRight"
          arrow={false}
          open={open}
          onOpenChange={setOpen}
          classNames={{ root: 'notice-pop' }}
          content={
            <TaskPanel
              tasks={tasks}
              again={again}
              onLook={(task) => {
                setOpen(false)
                setLooked(task)
              }}
            />
          }
        >
          <BarButton icon="cloud-download" badge={count} label={t(taskWords.title)} />
        </Popup>
      )}
      {looked && (
        <Suspense>
          <SheetImport label={looked.label} taskId={looked.id} onClose={() => setLooked(undefined)} />
        </Suspense>
      )}
    </>
  )
}

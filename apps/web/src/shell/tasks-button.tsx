import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useLocalize } from '#kit/web/base/language.tsx'
import { Popup } from '#kit/web/parts/popup.tsx'
import {
  isTaskInProgress,
  backgroundTaskWords,
  useBackgroundTasks,
  type BackgroundTaskWire,
} from '#kit/web/list/tasks.ts'
import { toast } from '#kit/web/base/toast.ts'
import { TopBarButton } from './bar-button.tsx'

const TaskPanel = lazy(() => import('#kit/web/list/task-panel.tsx'))
const SheetImport = lazy(() => import('#kit/web/list/sheet-import.tsx'))

const LONG_MS = 7000

/** Button with the user's exports and imports; hidden while there are none. */
export function BackgroundTasksButton() {
  const t = useLocalize()
  const { tasks, again } = useBackgroundTasks()
  const [open, setOpen] = useState(false)
  const [looked, setLooked] = useState<BackgroundTaskWire>()
  const begun = useRef(new Map<string, number>())
  useEffect(() => {
    for (const task of tasks) {
      const since = begun.current.get(task.id)
      if (isTaskInProgress(task)) begun.current.set(task.id, since ?? Date.now())
      else if (
        begun.current.delete(task.id) &&
        task.kind !== 'import' &&
        task.state === 'done' &&
        Date.now() - since! > LONG_MS
      )
        toast.success(t(backgroundTaskWords.finished, task))
    }
  }, [tasks, t])
  const count = tasks.filter((task) => isTaskInProgress(task) || task.state === 'checked').length

  return (
    <>
      {tasks.length > 0 && (
        <Popup
          label={t(backgroundTaskWords.title)}
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
          <TopBarButton icon="cloud-download" badge={count} label={t(backgroundTaskWords.title)} />
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

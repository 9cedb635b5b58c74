import { Input, Modal, Select } from 'antd'
import { useId, useState } from 'react'
import { useSay } from '../language.tsx'
import { words } from './list-words.ts'
import { words as kit } from '../page-words.ts'
import { refusalOf } from '../form/run-action.ts'
import { toast } from '../parts/toast.ts'
import type { View, Views } from './use-views.ts'

/** Names a view and says who sees it. */
export default function ViewDialog({ views, view, onClose }: { views: Views; view?: View; onClose: () => void }) {
  const say = useSay()
  const id = useId()
  const [name, setName] = useState(view?.name ?? '')
  const [roleId, setRoleId] = useState(view?.roleId ?? '')
  const [problem, setProblem] = useState('')
  const [running, setRunning] = useState(false)
  const go = async () => {
    setRunning(true)
    setProblem('')
    try {
      await views.save({ ...(view && { id: view.id, version: view.version }), name: name.trim(), roleId }, !!view)
      toast.success(say(words.viewSaved))
      onClose()
    } catch (reason) {
      setProblem(Object.values(refusalOf(reason).fields ?? {})[0] ?? (reason as Error).message)
    } finally {
      setRunning(false)
    }
  }
  return (
    <Modal
      open
      title={say(view ? words.viewEdit : words.viewSaveAs)}
      width={440}
      onCancel={onClose}
      onOk={() => void go()}
      okText={say(kit.save)}
      cancelText={say(kit.cancel)}
      okButtonProps={{ loading: running, disabled: !name.trim() }}
    >
      <form
        className="kit-view-form"
        onSubmit={(event) => {
          event.preventDefault()
          void go()
        }}
      >
        <div className="kit-field">
          <label htmlFor={`${id}-name`}>{say(words.name)}</label>
          <Input
            id={`${id}-name`}
            autoFocus
            maxLength={40}
            value={name}
            onChange={(event) => setName(event.target.value)}
            status={problem ? 'error' : undefined}
            aria-describedby={`${id}-problem`}
          />
          {problem && (
            <div id={`${id}-problem`} className="kit-error" role="alert">
              {problem}
            </div>
          )}
        </div>
        <div className="kit-field">
          <label htmlFor={`${id}-role`}>{say(words.viewShare)}</label>
          <Select
            id={`${id}-role`}
            value={roleId}
            onChange={setRoleId}
            options={[
              { value: '', label: say(words.viewPrivate) },
              ...views.roles.map((role) => ({ value: role.id, label: role.name })),
              ...(view?.roleId && !views.roles.some(({ id }) => id === view.roleId)
                ? [{ value: view.roleId, label: view.roleName, disabled: true }]
                : []),
            ]}
          />
          <div className="kit-help">{say(words.viewHint)}</div>
        </div>
      </form>
    </Modal>
  )
}

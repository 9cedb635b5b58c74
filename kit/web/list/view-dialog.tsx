import { Checkbox, Input, Modal, Select } from 'antd'
import { useId, useState } from 'react'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/list-words.ts'
import { words as kit } from '../base/page-words.ts'
import { refusalDetailsOf } from '../row/run-action.ts'
import { toast } from '../base/toast.ts'
import type { SavedView, SavedViewsOfList } from './use-views.ts'

type Props = { views: SavedViewsOfList; view?: SavedView; onClose: () => void }

type Places = Pick<SavedView, 'asTab' | 'asTile' | 'asLink'>

/** Dialog for a saved view: its name, the role it is shared with, and where it appears (tab, tile, link). */
export default function SaveViewDialog({ views, view, onClose }: Props) {
  const t = useLocalize()
  const [name, setName] = useState(view?.name ?? '')
  const [roleId, setRoleId] = useState(view?.roleId ?? '')
  const [places, setPlaces] = useState<Places>({
    asTab: view?.asTab ?? false,
    asTile: view?.asTile ?? false,
    asLink: view?.asLink ?? false,
  })
  const { go, problem, running } = useKeeping({ views, view, onClose }, { name: name.trim(), roleId, ...places })
  return (
    <Modal
      open
      title={t(view ? words.viewEdit : words.viewSaveAs)}
      width={440}
      onCancel={onClose}
      onOk={() => void go()}
      okText={t(kit.save)}
      cancelText={t(kit.cancel)}
      okButtonProps={{ loading: running, disabled: !name.trim() }}
    >
      <form
        className="kit-view-form"
        onSubmit={(event) => {
          event.preventDefault()
          void go()
        }}
      >
        <NameField value={name} onChange={setName} problem={problem} />
        <RoleField value={roleId} onChange={setRoleId} views={views} view={view} />
        <PlaceFields value={places} onChange={setPlaces} />
      </form>
    </Modal>
  )
}

function useKeeping({ views, view, onClose }: Props, kept: { name: string; roleId: string } & Places) {
  const t = useLocalize()
  const [problem, setProblem] = useState('')
  const [running, setRunning] = useState(false)
  const go = async () => {
    setRunning(true)
    setProblem('')
    try {
      await views.save({ ...(view && { id: view.id, version: view.version }), ...kept }, !!view)
      toast.success(t(words.viewSaved))
      onClose()
    } catch (reason) {
      setProblem(Object.values(refusalDetailsOf(reason).fields ?? {})[0] ?? (reason as Error).message)
    } finally {
      setRunning(false)
    }
  }
  return { go, problem, running }
}

type FieldProps = { value: string; onChange: (value: string) => void }

function NameField({ value, onChange, problem }: FieldProps & { problem: string }) {
  const t = useLocalize()
  const id = useId()
  return (
    <div className="kit-field">
      <label htmlFor={id}>{t(words.name)}</label>
      <Input
        id={id}
        autoFocus
        maxLength={40}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        status={problem ? 'error' : undefined}
        aria-describedby={`${id}-problem`}
      />
      {problem && (
        <div id={`${id}-problem`} className="kit-error" role="alert">
          {problem}
        </div>
      )}
    </div>
  )
}

function RoleField({ value, onChange, views, view }: FieldProps & Pick<Props, 'views' | 'view'>) {
  const t = useLocalize()
  const id = useId()
  const isForeign = view?.roleId && !views.roles.some((role) => role.id === view.roleId)
  return (
    <div className="kit-field">
      <label htmlFor={id}>{t(words.viewShare)}</label>
      <Select
        id={id}
        value={value}
        onChange={onChange}
        options={[
          { value: '', label: t(words.viewPrivate) },
          ...views.roles.map((role) => ({ value: role.id, label: role.name })),
          ...(isForeign ? [{ value: view.roleId, label: view.roleName, disabled: true }] : []),
        ]}
      />
      <div className="kit-help">{t(words.viewHint)}</div>
    </div>
  )
}

const placeWords = { asTab: words.viewAsTab, asTile: words.viewAsTile, asLink: words.viewAsLink } as const

function PlaceFields({ value, onChange }: { value: Places; onChange: (value: Places) => void }) {
  const t = useLocalize()
  const id = useId()
  return (
    <div className="kit-field" role="group" aria-labelledby={id}>
      <span id={id} className="kit-label">
        {t(words.viewPlaces)}
      </span>
      {(['asTab', 'asTile', 'asLink'] as const).map((key) => (
        <Checkbox
          key={key}
          checked={value[key]}
          onChange={(event) => onChange({ ...value, [key]: event.target.checked })}
        >
          {t(placeWords[key])}
        </Checkbox>
      ))}
      <div className="kit-help">{t(words.viewPlacesHint)}</div>
    </div>
  )
}

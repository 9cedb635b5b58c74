import { useEffect, useId, useState, type FormEvent } from 'react'
import { apiGet } from '#kit/web/http/http.ts'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { NativeDialog, DialogFooter } from './dialog.tsx'
import { words } from './words.ts'

type Option = { id: string; name: string }
export type ChosenDepartmentAndRole = { deptId: string; roleId: string }
type Query = Record<string, string>

function useOptions(path: string, query: Query, name: string) {
  const [options, setOptions] = useState<Option[]>()
  const key = JSON.stringify(query)
  useEffect(() => {
    apiGet<Record<string, string>[]>(path, JSON.parse(key) as Query, { quiet: true })
      .then((rows) =>
        setOptions(rows.map((row) => ({ id: row.id ?? '', name: row[name] ?? row.title ?? row.name ?? '' }))),
      )
      .catch(() => setOptions([]))
  }, [path, key, name])
  return options
}

type Props = {
  /** Comma list of departments to choose from while signing in; with `userId` all of that user's are offered. */
  deptIds?: string
  /** Comma list of roles to choose from while signing in; with `userId` all of that user's are offered. */
  roleIds?: string
  userId?: string
  onClose: (place?: ChosenDepartmentAndRole) => void
}

/** Dialog for a user with several departments or roles to choose which one to work in. */
export function ChooseDepartmentRoleDialog({ deptIds, roleIds, userId, onClose }: Props) {
  const t = useLocalize()
  const depts = useOptions('/api/blade-system/dept/select', userId ? { userId } : { deptId: deptIds ?? '' }, 'deptName')
  const roles = useOptions('/api/blade-system/role/select', userId ? { userId } : { roleId: roleIds ?? '' }, 'roleName')
  const [place, setPlace] = useState<ChosenDepartmentAndRole>({ deptId: '', roleId: '' })
  const [left, setLeft] = useState<Set<string>>(new Set())
  const leaveField = (name: string) => setLeft((names) => new Set(names).add(name))

  function submit(event: FormEvent) {
    event.preventDefault()
    setLeft(new Set(['deptId', 'roleId']))
    if (place.deptId && place.roleId) onClose(place)
  }

  const choice = (
    name: keyof ChosenDepartmentAndRole,
    label: LocalizedText,
    required: LocalizedText,
    options: Option[] | undefined,
  ) => (
    <Choice
      label={t(label)}
      empty={t(words.choose)}
      value={place[name]}
      options={options ?? []}
      error={left.has(name) && !place[name] ? t(required) : undefined}
      onBlur={() => leaveField(name)}
      onChange={(value) => setPlace({ ...place, [name]: value })}
    />
  )
  return (
    <NativeDialog title={t(words.place)} onClose={() => onClose()}>
      <form noValidate onSubmit={submit}>
        {choice('deptId', words.dept, words.deptRequired, depts)}
        {choice('roleId', words.role, words.roleRequired, roles)}
        <DialogFooter submit={words.enter} onCancel={() => onClose()} />
      </form>
    </NativeDialog>
  )
}

type ChoiceProps = {
  label: string
  empty: string
  value: string
  options: Option[]
  error: string | undefined
  onBlur: () => void
  onChange: (value: string) => void
}

function Choice({ label, empty, value, options, error, onBlur, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <div className={`field${error ? ' field-bad' : ''}`}>
      <label htmlFor={id}>{label}</label>
      <div className="field-box">
        <select
          id={id}
          value={value}
          onBlur={onBlur}
          onChange={(event) => onChange(event.target.value)}
          aria-invalid={!!error}
          aria-describedby={error ? `${id}-note` : undefined}
        >
          <option value="">{empty}</option>
          {options.map((option) => (
            <option key={option.id} value={option.id}>
              {option.name}
            </option>
          ))}
        </select>
      </div>
      {error && (
        <p id={`${id}-note`} className="field-note" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

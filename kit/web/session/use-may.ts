import { useMemo } from 'react'
import { permissionCodeOf, type Action, type Resource } from '#kit/resource/define-resource.ts'
import { useSession } from './session.ts'

type Permissions = Record<string, true>

const mayAct = (permissions: Permissions, resource: { code: string }, name: string, action: Pick<Action, 'can'>) =>
  permissions[permissionCodeOf(resource, action.can ?? name)] === true

/** What the user may do with a resource, after what it offers at all. */
export function useResourcePermissions(resource: Resource<any, any>) {
  const permissions = useSession((session) => session.permissions)
  return useMemo(() => mayOf(permissions, resource), [permissions, resource])
}

function mayOf(permissions: Permissions, resource: Resource<any, any>) {
  const has = (name: string) => permissions[permissionCodeOf(resource, name)] === true
  const { buttons } = resource
  return {
    add: buttons.add && has('add'),
    edit: buttons.edit && has('edit'),
    remove: buttons.delete && has('delete'),
    view: buttons.view && has('view'),
    export: buttons.export && has('export'),
    /** Of a page that exports by a call of its own. */
    ownExport: has('export'),
    import: buttons.import && has('import'),
    act: (name: string) => mayAct(permissions, resource, name, resource.actions[name] as Action),
  }
}

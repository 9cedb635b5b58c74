import { permissionCodeOf } from '../../resource/define-resource.ts'
import { Refused } from '../base/refused.ts'
import { authoriseCall } from '../request/pipeline.ts'
import type { Call, ServedResource } from '../module/module.ts'

/** Refuses callers who may not read a resource's list, by permission or by an API scope that protects its path. */
export const requireListPermission = (
  { caller, services }: Pick<Call, 'caller' | 'services'>,
  { resource }: ServedResource,
): Promise<void> =>
  authoriseCall(caller, permissionCodeOf(resource, 'list'), `${resource.path}/${resource.list.path}`, services)

/** Whether the caller may read the list, for routes that then return less instead of refusing. */
export const hasListPermission = async (call: Call, served: ServedResource): Promise<boolean> => {
  try {
    await requireListPermission(call, served)
    return true
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}

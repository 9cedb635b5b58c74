import type { FastifyInstance } from 'fastify'
import { f } from '../resource/f.ts'
import { permissionOf, type Action, type Resource } from '../resource/define-resource.ts'
import { actionOf } from './action-of.ts'
import { detailOf } from './detail-of.ts'
import { listOf } from './list-of.ts'
import { removeOf } from './remove-of.ts'
import { createRoad } from './road.ts'
import type { Room, Route, Served } from './room.ts'
import type { Registry, Services } from './services.ts'
import { sheetRoutes } from './sheets/routes.ts'
import { submitOf } from './submit-of.ts'

const words = (resource: Resource<any, any>, zh: string, en: string) => ({ zh: `${resource.label.zh}${zh}`, en: `${resource.label.en}: ${en}` })

const ROW = { id: f.ref('', { label: { zh: '编号', en: 'Id' }, required: true }) }
const ROWS = { ids: f.refs('', { label: { zh: '编号', en: 'Ids' }, required: true }) }

/** Routes of one resource: the four standard calls and its declared actions. */
export function routesOf(served: Served): Route[] {
  const { resource, hooks } = served
  const without = new Set(hooks.without ?? [])
  const out: Route[] = []
  if (!without.has('list')) {
    out.push({ method: 'GET', path: `${resource.path}/${resource.list.path}`, title: words(resource, '列表', 'list'), can: permissionOf(resource, 'list'), ...(hooks.list ? {} : { tx: false }), handle: (call) => (hooks.list ? hooks.list(call) : listOf(served, call)) })
  }
  if (!without.has('detail')) out.push({ method: 'GET', path: `${resource.path}/detail`, title: words(resource, '详情', 'detail'), can: permissionOf(resource, 'list'), tx: false, handle: (call) => detailOf(served, call) })
  if (!without.has('submit')) out.push({ method: 'POST', path: `${resource.path}/submit`, title: words(resource, '保存', 'save'), can: [permissionOf(resource, 'add'), permissionOf(resource, 'edit')], handle: (call) => submitOf(served, call) })
  if (!without.has('remove')) out.push({ method: 'POST', path: `${resource.path}/remove`, title: words(resource, '删除', 'remove'), can: permissionOf(resource, 'delete'), handle: (call) => removeOf(served, call) })
  out.push(...sheetRoutes(served))
  for (const [name, action] of Object.entries(resource.actions as Record<string, Action>)) {
    out.push({
      method: action.method ?? 'POST', path: `${resource.path}/${action.path ?? name}`, title: words(resource, action.label.zh, action.label.en),
      can: permissionOf(resource, action.can ?? name),
      takes: { ...(action.on === 'toolbar' ? {} : action.on === 'row' ? ROW : ROWS), ...action.input }, handle: (call) => actionOf(served, name, action, call),
    })
  }
  return out
}

export function createRegistry(rooms: readonly Room[]): Registry {
  const served = new Map<string, Served>()
  for (const room of rooms) {
    for (const one of room.resources ?? []) {
      if (served.has(one.resource.name)) throw new Error(`resource "${one.resource.name}" is declared twice`)
      served.set(one.resource.name, one)
    }
  }
  const resource = (name: string) => {
    const found = served.get(name)?.resource
    if (!found) throw new Error(`no resource "${name}"`)
    return found
  }
  for (const one of served.values()) {
    for (const { to, among } of Object.values(one.resource.fields) as { to?: string; among?: Record<string, string> }[]) for (const name of [to, ...Object.values(among ?? {})]) if (name) resource(name)
  }
  return { rooms, served, resource }
}

/** Every route of the product, in the order of the rooms. */
export const routesOfRooms = (registry: Registry): Route[] => registry.rooms.flatMap((room) => [...(room.resources ?? []).flatMap(routesOf), ...(room.routes ?? [])])

export function mountRooms(app: FastifyInstance, services: Services, more: readonly Route[]): readonly Route[] {
  const road = createRoad(app, services)
  const seen = new Set<string>()
  for (const one of [...routesOfRooms(services.registry), ...more]) {
    const key = `${one.method} ${one.path}`
    if (seen.has(key)) throw new Error(`route ${key} is mounted twice`)
    seen.add(key)
    road.mount(one)
  }
  return road.mounted
}

import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { DifyWorld, SimulatedRun } from './world.ts'

const NODES = [
  ['start', '开始'],
  ['llm', '看图识别'],
  ['code', '核对结果'],
  ['end', '结束'],
] as const

/** Plays a run of four steps, the second being the model's. Its outcome follows from the picture it was given. */
export async function play(world: DifyWorld, run: SimulatedRun): Promise<void> {
  const { mood } = world
  const say = (event: string, data: object) => run.say({ event, task_id: run.taskId, workflow_run_id: run.id, data })
  say('workflow_started', { id: run.id, workflow_id: 'simulated', inputs: run.inputs, created_at: 0 })
  if (mood === 'cutForGood') run.isForgotten = true
  if (mood === 'pauses') {
    run.status = 'paused'
    say('human_input_required', { form_id: 'f', node_id: 'n' })
    while (!run.isStopped && !world.isClosed) await pause(5)
    return finish(run, say, 'stopped')
  }
  for (const [index, [type, title]] of NODES.entries()) {
    const node = { id: `${run.id}-${index}`, node_id: `n${index}`, node_type: type, title, index: index + 1 }
    say('node_started', node)
    if (type === 'llm') await think(world, run, say)
    else await pause(world.nodeMs)
    if (run.isStopped) return finish(run, say, 'stopped')
    if (mood === 'errorInStream' && type === 'code') {
      run.status = 'failed'
      run.say({ event: 'error', task_id: run.taskId, status: 500, code: 'internal_server_error', message: 'node died' })
      return run.end()
    }
    run.steps++
    const total_tokens = type === 'llm' ? world.tokens : 0
    run.tokens += total_tokens
    const isBroken = mood === 'nodeFails' && type === 'code'
    const metadata = total_tokens ? { execution_metadata: { total_tokens, total_price: '0.001', currency: 'USD' } } : {}
    const status = isBroken ? 'failed' : 'succeeded'
    say('node_finished', { ...node, status, ...metadata, ...(isBroken && { error: 'code execution error' }) })
    if (isBroken) {
      run.error = 'Run failed: code execution error'
      return finish(run, say, 'failed')
    }
  }
  run.outputs = outputsOf(world, run, mood)
  finish(run, say, 'succeeded')
}

type Say = (event: string, data: object) => void

async function think(world: DifyWorld, run: SimulatedRun, say: Say): Promise<void> {
  for (const text of ['正在查看画面，', '对照商品清单，', '整理发现。']) {
    say('text_chunk', { text, from_variable_selector: ['llm', 'text'] })
    await pause(world.nodeMs / 3)
  }
  if (world.mood === 'malformed')
    run.say('data: {"event": "node_fin\n\ndata: [1]\n\n: nothing\n\nevent: what\ndata: 1\n\n')
  while (world.isHeld && !run.isStopped && !world.isClosed) await pause(5)
}

function finish(run: SimulatedRun, say: Say, status: SimulatedRun['status']): void {
  run.status = status
  if (status === 'stopped') run.error = 'Workflow execution was stopped'
  say('workflow_finished', run.facts())
  run.end()
}

const HOSTILE = '<img src=x onerror="fetch(1)"><script>alert(1)</script>[链接](javascript:alert(1)){{7*7}} =cmd|1'

/** Returns the model's answer: what the mood asks for, otherwise a plausible one for the application's kind. */
function outputsOf(world: DifyWorld, run: SimulatedRun, mood: DifyWorld['mood']): unknown {
  if (mood === 'unread') return { result: '我看到货架有点空，建议补货。' }
  if (mood === 'huge')
    return {
      result: JSON.stringify({
        summary: '很多'.repeat(100_000),
        level: 'alarm',
        items: Array.from({ length: 5_000 }, (_none, n) => ({
          type: 'other',
          label: `发现${n}`.repeat(200),
          confidence: 0.99,
          box: [0, 0, 1, 1],
        })),
      }).slice(0, 900_000),
    }
  if (mood === 'hostile')
    return {
      result: {
        summary: HOSTILE,
        level: 'alarm',
        items: [
          { type: 'open_all_doors', label: HOSTILE, confidence: 7, box: [-3, '0.5', 9, NaN], advice: HOSTILE },
          {
            type: 'smoke',
            label: '\u202e反转\u0000\ud800',
            confidence: '0.95',
            box: [0.1, 0.1, 5, 5],
            goodsUpc: HOSTILE,
          },
          'no item',
          { type: 'fight', confidence: 1 },
        ],
      },
    }
  return { result: JSON.stringify(resultOf(world, run)) }
}

/**
 * Returns numbers from 0 to 1 derived from the run's picture or inputs, so that the same picture always gets the same
 * answer.
 */
const chances = (run: SimulatedRun): number[] => {
  const { request_id: _own, taken_at: _at, ...inputs } = run.inputs
  const hash = createHash('sha256')
    .update(run.picture ?? JSON.stringify(inputs))
    .digest()
  return [...hash].map((byte) => byte / 255)
}

function resultOf(world: DifyWorld, run: SimulatedRun): object {
  const [a, b, c, d, e] = chances(run) as [number, number, number, number, number]
  const box = [a * 0.6, b * 0.5, 0.15 + c * 0.2, 0.2 + d * 0.2].map((one) => Math.round(one * 1000) / 1000)
  const confidence = Math.round((0.6 + e * 0.39) * 100) / 100
  if (world.apps.get(run.key)?.kind === 'camera')
    return {
      summary: `画面中有 ${Math.round(a * 2)} 人，地面有杂物`,
      level: 'warn',
      items: [
        { type: 'dirty', label: '通道有纸箱未清理', confidence, box, advice: '请店员清理通道' },
        { type: 'person_loitering', label: '一人在冷柜前停留较久', confidence: 0.62, box: [0.55, 0.2, 0.2, 0.6] },
      ],
    }
  const goods = goodsOf(run.inputs.facts)
  const empty = goods.filter(({ stock }) => Number(stock) <= 3).slice(0, 4)
  return {
    summary: empty.length ? `${empty.length} 种商品快卖空` : '货架充足',
    level: empty.length ? 'warn' : 'ok',
    items: empty.map(({ name, upc, stock }) => ({
      type: Number(stock) > 0 ? 'low_stock' : 'empty_shelf',
      label: `${name} 剩余 ${stock}`,
      confidence,
      goodsUpc: upc,
      advice: '请尽快补货',
    })),
  }
}

function goodsOf(facts: unknown): { name: string; upc: string; stock: number }[] {
  try {
    const { goods } = JSON.parse(String(facts))
    return Array.isArray(goods) ? goods : []
  } catch {
    return []
  }
}

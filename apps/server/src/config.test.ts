import { expect, test } from 'vitest'
import { findEnvironmentProblems, readConfig } from './config.ts'

test.for([
  ['PORT', '-1'],
  ['PORT', '80a'],
  ['PORT', '70000'],
  ['MQTT_PORT', 'x'],
  ['DB_POOL', '0'],
  ['DB_POOL', '1e3'],
  ['RATE_LIMIT', 'many'],
  ['JOB_LEASE', '0'],
  ['JOB_LEASE', '2.5'],
  ['WORKERS', '-1'],
  ['WORKERS', 'all'],
  ['SIMULATOR_PACE', '0'],
  ['SIMULATOR_PACE', '600'],
  ['SIMULATOR_PACE', '0/min'],
  ['SIMULATORS', 'false'],
  ['LOG_LEVEL', 'loud'],
  ['DATABASE_URL', 'mysql://host/store'],
  ['REDIS_URL', 'localhost:6379'],
  ['MQTT_URL', 'broker'],
  ['MQTT_ADMIN_URL', 'admin:secret@broker'],
  ['MQTT_WS_PORT', '70000'],
  ['PUBLIC_URL', 'office.example.com'],
  ['PAYMENT_CHANNEL_URL', 'ftp://pay'],
  ['S3_ENDPOINT', 's3'],
  ['S3_PATH_STYLE', 'yes'],
  ['CORS_ORIGINS', 'https://a.example.com,https://b.example.com/path'],
] as const)('%s=%s stops the start with a sentence that names it, not with a stack later', ([name, value]) => {
  expect(() => readConfig([], { [name]: value })).toThrow(new RegExp(`^${name} must be `))
  expect(findEnvironmentProblems({ [name]: value })).toHaveLength(1)
})

test('all faults are said at once, and no password that an address holds', () => {
  const faults = findEnvironmentProblems({
    PORT: 'x',
    SIMULATOR_PACE: '600',
    DATABASE_URL: 'mysql://app:secret@host/store',
  })
  expect(faults.map((fault) => fault.split(' ', 1)[0])).toEqual(['PORT', 'DATABASE_URL', 'SIMULATOR_PACE'])
  expect(faults.join()).not.toContain('secret')
})

test('what means something only beside others says which are missing', () => {
  expect(findEnvironmentProblems({ MQTT_TLS_PORT: '8883', MQTT_TLS_KEY: 'key.pem' })).toEqual([
    'MQTT_TLS_PORT needs MQTT_TLS_CERT beside it.',
  ])
  expect(findEnvironmentProblems({ MQTT_ACCESS: 'dynsec', MQTT_URL: 'mqtt://broker' })).toEqual([
    'MQTT_ACCESS needs MQTT_ADMIN_URL beside it.',
  ])
  expect(findEnvironmentProblems({ MQTT_TLS_PORT: '0' })).toEqual([])
})

test('what is right is taken, and what is empty counts as not set', () => {
  const env = {
    PORT: '9000',
    SIMULATOR_PACE: '600/h',
    SIMULATORS: 'off',
    RATE_LIMIT: '0',
    CORS_ORIGINS: 'https://a.example.com',
    DB_POOL: '',
  }
  expect(findEnvironmentProblems(env)).toEqual([])
  expect(readConfig([], env)).toMatchObject({ port: 9000, generalPerMinute: 0, corsOrigins: ['https://a.example.com'] })
})

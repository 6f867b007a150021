/*
 * Addon that hands one static buffer to a callback again and again, as the server of
 * uWebSockets.js does with bodies. The few functions of Node-API are declared here, so that a
 * compiler is all that is needed to build it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct opaque_env *napi_env;
typedef struct opaque_value *napi_value;
typedef struct opaque_scope *napi_handle_scope;
typedef struct opaque_info *napi_callback_info;
typedef int napi_status;
typedef napi_value (*napi_callback)(napi_env, napi_callback_info);
typedef void (*napi_finalize)(napi_env, void *data, void *hint);

napi_status napi_call_function(napi_env, napi_value receiver, napi_value function, size_t count,
                               const napi_value *arguments, napi_value *result);
napi_status napi_make_callback(napi_env, void *context, napi_value receiver, napi_value function, size_t count,
                               const napi_value *arguments, napi_value *result);
napi_status napi_close_handle_scope(napi_env, napi_handle_scope);
napi_status napi_create_external_arraybuffer(napi_env, void *data, size_t length, napi_finalize, void *hint,
                                             napi_value *result);
napi_status napi_create_function(napi_env, const char *name, size_t length, napi_callback, void *data,
                                 napi_value *result);
napi_status napi_detach_arraybuffer(napi_env, napi_value);
napi_status napi_get_cb_info(napi_env, napi_callback_info, size_t *count, napi_value *arguments, napi_value *receiver,
                             void **data);
napi_status napi_get_global(napi_env, napi_value *result);
napi_status napi_get_value_bool(napi_env, napi_value, bool *result);
napi_status napi_get_value_uint32(napi_env, napi_value, uint32_t *result);
napi_status napi_open_handle_scope(napi_env, napi_handle_scope *result);
napi_status napi_set_named_property(napi_env, napi_value object, const char *name, napi_value);
napi_status napi_throw_error(napi_env, const char *code, const char *message);

static uint8_t body[10 * 1024];

static napi_value detach(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value buffer;
  if (napi_get_cb_info(env, info, &count, &buffer, NULL, NULL) != 0 || napi_detach_arraybuffer(env, buffer) != 0) {
    napi_throw_error(env, NULL, "Cannot detach");
  }
  return NULL;
}

/* run(count, callback, detachesAfter, isAsync): calls back that many times with a buffer of its own. */
static napi_value run(napi_env env, napi_callback_info info) {
  size_t argument_count = 4;
  napi_value arguments[4];
  uint32_t count;
  bool detaches_after, is_async;
  napi_value global, result;
  if (napi_get_cb_info(env, info, &argument_count, arguments, NULL, NULL) != 0 || argument_count != 4 ||
      napi_get_value_uint32(env, arguments[0], &count) != 0 ||
      napi_get_value_bool(env, arguments[2], &detaches_after) != 0 ||
      napi_get_value_bool(env, arguments[3], &is_async) != 0 || napi_get_global(env, &global) != 0) {
    napi_throw_error(env, NULL, "Expected a number, a function and two booleans");
    return NULL;
  }
  for (uint32_t i = 0; i < count; i++) {
    napi_handle_scope scope;
    napi_value buffer;
    napi_open_handle_scope(env, &scope);
    napi_status status = napi_create_external_arraybuffer(env, body, sizeof body, NULL, NULL, &buffer);
    if (status == 0) {
      status = is_async ? napi_make_callback(env, NULL, global, arguments[1], 1, &buffer, &result)
                        : napi_call_function(env, global, arguments[1], 1, &buffer, &result);
    }
    if (status == 0 && detaches_after) status = napi_detach_arraybuffer(env, buffer);
    napi_close_handle_scope(env, scope);
    if (status != 0) {
      napi_throw_error(env, NULL, "Cannot call back with an external buffer");
      return NULL;
    }
  }
  return NULL;
}

static void export_function(napi_env env, napi_value exports, const char *name, napi_callback callback) {
  napi_value function;
  napi_create_function(env, name, (size_t)-1, callback, NULL, &function);
  napi_set_named_property(env, exports, name, function);
}

napi_value napi_register_module_v1(napi_env env, napi_value exports) {
  export_function(env, exports, "detach", detach);
  export_function(env, exports, "run", run);
  return exports;
}

import protobuf from 'protobufjs';

/** The messages of onnx.proto, by other names. Parts that nobody reads are bytes, which are encoded alike. */
const MESSAGES = `
  syntax = "proto2";
  message Model {
    optional int64 version = 1; optional string producer = 2; optional string producerVersion = 3;
    optional string domain = 4; optional int64 modelVersion = 5; optional string doc = 6;
    optional Graph graph = 7; repeated Operators operators = 8; repeated bytes metadata = 14;
    repeated bytes training = 20; repeated bytes functions = 25;
  }
  message Operators { optional string domain = 1; optional int64 version = 2; }
  message Graph {
    repeated Node nodes = 1; optional string name = 2; repeated Tensor weights = 5; optional string doc = 10;
    repeated Value inputs = 11; repeated Value outputs = 12; repeated bytes values = 13;
    repeated bytes quantization = 14; repeated bytes sparseWeights = 15; repeated bytes metadata = 16;
  }
  message Node {
    repeated string inputs = 1; repeated string outputs = 2; optional string name = 3; optional string op = 4;
    repeated Attribute attributes = 5; optional string doc = 6; optional string domain = 7;
    optional string overload = 8; repeated bytes metadata = 9;
  }
  message Attribute {
    optional string name = 1; optional float float = 2; optional int64 integer = 3; optional bytes text = 4;
    optional bytes tensor = 5; optional Graph graph = 6; repeated float floats = 7; repeated int64 integers = 8;
    repeated bytes texts = 9; repeated bytes tensors = 10; repeated bytes graphs = 11; optional string doc = 13;
    optional bytes valueType = 14; repeated bytes valueTypes = 15; optional int32 type = 20;
    optional string reference = 21; optional bytes sparseTensor = 22; repeated bytes sparseTensors = 23;
  }
  message Tensor {
    repeated uint32 shape = 1; optional int32 type = 2; optional bytes segment = 3;
    repeated float floats = 4 [packed = true]; repeated int32 integers = 5 [packed = true];
    repeated bytes texts = 6; repeated int64 longs = 7 [packed = true]; optional string name = 8;
    optional bytes bytes = 9; repeated double doubles = 10 [packed = true];
    repeated uint64 unsigned = 11 [packed = true]; optional string doc = 12; repeated bytes external = 13;
    optional int32 location = 14; repeated bytes metadata = 16;
  }
  message Value {
    optional string name = 1; optional Type type = 2; optional string doc = 3; repeated bytes metadata = 4;
  }
  message Type {
    optional TensorType tensor = 1; optional bytes sequence = 4; optional bytes map = 5;
    optional string denotation = 6; optional bytes sparse = 8; optional bytes optional = 9;
  }
  message TensorType { optional int32 element = 1; optional Shape shape = 2; }
  message Shape { repeated Size sizes = 1; }
  message Size { optional uint32 value = 1; optional string name = 2; optional string denotation = 3; }
`;

/** The message of a whole file. */
export const ModelMessage = protobuf.parse(MESSAGES).root.lookupType('Model');

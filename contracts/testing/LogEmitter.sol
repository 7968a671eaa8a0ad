// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice Emits any log. Put at a contract's address, it emits what that contract's ABI allows and its code does not.
contract LogEmitter {
    struct Log {
        bytes32[] topics;
        bytes data;
    }

    error TooManyTopics(uint256 count);

    function emitAll(Log[] calldata logs) external {
        for (uint256 i; i < logs.length; ++i) {
            _emit(logs[i].topics, logs[i].data);
        }
    }

    function _emit(bytes32[] memory topics, bytes memory data) private {
        uint256 count = topics.length;
        if (count > 4) revert TooManyTopics(count);
        assembly ("memory-safe") {
            let start := add(data, 32)
            let size := mload(data)
            let first := mload(add(topics, 32))
            let second := mload(add(topics, 64))
            let third := mload(add(topics, 96))
            switch count
            case 0 { log0(start, size) }
            case 1 { log1(start, size, first) }
            case 2 { log2(start, size, first, second) }
            case 3 { log3(start, size, first, second, third) }
            default { log4(start, size, first, second, third, mload(add(topics, 128))) }
        }
    }
}
